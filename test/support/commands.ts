import type { Test } from 'tap'
import { main } from '../../bin/program.ts'
import { start, type TestApp } from './app.ts'
import type { CommandResult } from './bundle.ts'

interface CommandServer extends TestApp {
  /** Base URL of the default world. */
  url: string
  /** Runs a command, given as words separated by blanks, against this server and in this process. */
  run(line: string, ...more: string[]): Promise<CommandResult>
  /** As `run` with --json; returns the parsed document. Throws when the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  runJson(line: string, ...more: string[]): Promise<any>
}

/** Starts a listening server together with the commands that call it. */
export async function startCommandServer(t: Test, options: Parameters<typeof start>[1] = {}): Promise<CommandServer> {
  const app = await start(t, options)
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const run = (line: string, ...more: string[]) => inProcess(...line.split(' '), ...more, '--url', url)
  return {
    ...app,
    url,
    run,
    async runJson(line, ...more) {
      const { code, output, errors } = await run(line, ...more, '--json')
      if (code !== 0) throw new Error(`${line} exited with ${code}: ${errors}`)
      if (output !== `${output.trim()}\n` || errors !== '') throw new Error(`${line} printed more than one document`)
      return JSON.parse(output)
    },
  }
}

/** Runs the program's commands in this process. */
export async function inProcess(...argv: string[]): Promise<CommandResult> {
  let [output, errors] = ['', '']
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const code = await main(argv, {
    out(text) {
      output += text
    },
    err(text) {
      errors += text
    },
  })
  // A start that failed leaves its signal handlers behind.
  for (const [n, signal] of signals.entries())
    for (const listener of process.listeners(signal)) if (!before[n]!.includes(listener)) process.off(signal, listener)
  return { code, output, errors }
}
