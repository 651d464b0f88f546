import type { Test } from 'tap'
import { main } from '../../bin/program.ts'
import { start, type TestApp } from './app.ts'
import type { Ended } from './bundle.ts'

export interface Commanded extends TestApp {
  /** Base address of the default world. */
  url: string
  /** Runs a command against this server, words separated by blanks, in this process. */
  run(line: string, ...more: string[]): Promise<Ended>
  /** As `run` with --json; answers the document. Throws when the command fails. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  told(line: string, ...more: string[]): Promise<any>
}

/** A server that listens, and the commands that call it. */
export async function commanded(t: Test, options: Parameters<typeof start>[1] = {}): Promise<Commanded> {
  const app = await start(t, options)
  await app.server.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const run = (line: string, ...more: string[]) => inProcess(...line.split(' '), ...more, '--url', url)
  return {
    ...app,
    url,
    run,
    async told(line, ...more) {
      const { code, output, errors } = await run(line, ...more, '--json')
      if (code !== 0) throw new Error(`${line} ended with ${code}: ${errors}`)
      if (output !== `${output.trim()}\n` || errors !== '') throw new Error(`${line} said more than a document`)
      return JSON.parse(output)
    },
  }
}

/** Runs the program's commands without a process of their own. */
export async function inProcess(...argv: string[]): Promise<Ended> {
  let [output, errors] = ['', '']
  const signals = ['SIGINT', 'SIGTERM'] as const
  const before = signals.map((signal) => process.listeners(signal))
  const code = await main(argv, {
    out(text) {
      output += text
    },
    err(text) {
      errors += text
    },
  })
  // A start that failed would go on waiting for its signals.
  for (const [n, signal] of signals.entries())
    for (const listener of process.listeners(signal)) if (!before[n]!.includes(listener)) process.off(signal, listener)
  return { code, output, errors }
}
