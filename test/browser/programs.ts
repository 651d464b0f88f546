import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator, Page } from 'playwright-core'

/** The languages of the console, with the programs that run what is copied. */
const RUNNERS: Record<string, { file: string; command: string }> = {
  curl: { file: 'call.sh', command: 'sh call.sh' },
  Node: { file: 'call.mjs', command: `'${process.execPath}' call.mjs` },
  Python: { file: 'call.py', command: 'python3 call.py' },
  PHP: { file: 'call.php', command: 'php call.php' },
}
/** Ms until a program must have ended. */
const TIMEOUT_MS = 20_000
const run = promisify(execFile)

/** What a person does in a terminal: sets the variables that were copied, and runs programs that were copied. */
export interface Terminal {
  run(language: string, text: string, command?: string): Promise<string>
  /** Starts a program that runs until the terminal is closed. */
  start(language: string, text: string): ChildProcess
  /** Of RUNNERS, those that this machine has. */
  languages: string[]
  close(): void
}

export async function openTerminal(variables: string): Promise<Terminal> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-terminal-'))
  const started: ChildProcess[] = []
  const has = async (command: string) => run('sh', ['-c', `command -v ${command.split(' ')[0]}`]).catch(() => undefined)
  const entries = Object.entries(RUNNERS)
  const found = await Promise.all(entries.map(([, { command }]) => has(command)))
  return {
    languages: entries.flatMap(([name], n) => (found[n] ? name : [])),
    async run(language, text, command = RUNNERS[language]!.command) {
      writeFileSync(join(folder, RUNNERS[language]!.file), text)
      return (await run('sh', ['-c', `${variables}\n${command}`], { cwd: folder, timeout: TIMEOUT_MS })).stdout
    },
    start(language, text) {
      const { file, command } = RUNNERS[language]!
      writeFileSync(join(folder, `receiver-${file}`), text)
      const child = spawn('sh', ['-c', `${variables}\nexec ${command.replace(file, `receiver-${file}`)}`], {
        ...{ cwd: folder, stdio: 'pipe' },
      })
      started.push(child)
      return child
    },
    close() {
      for (const child of started) child.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Presses a button that copies, and returns what is in the clipboard then. */
export async function copyWith(button: Locator, page: Page): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')")
  await button.click()
  await page.waitForFunction("navigator.clipboard.readText().then((text) => text !== '')")
  return page.evaluate('navigator.clipboard.readText()')
}
