import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { at } from '../root.ts'

// `node one_process.ts REQUESTS ANSWERS` runs command after command of the built program in this process, because starting one
// costs more than most commands do. REQUESTS and ANSWERS are named pipes: the words of a command with its environment, and
// its exit code.

const [requests, answers] = process.argv.slice(2) as [string, string]
const require = createRequire(import.meta.url)
const entry = at('dist/program/mercadito.cjs')
let count = 0
process.stdout.setMaxListeners(0)

// A command has ended when nothing is left to do, as in a process of its own.
process.on('beforeExit', () => {
  if (count > 0) writeFileSync(answers, `${process.exitCode ?? 0}\n`)
  void runNext()
})

async function runNext(): Promise<void> {
  const [number, ...parts] = (await readFile(requests, 'utf8')).split('\0')
  const words = parts.splice(0, Number(number))
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, Object.fromEntries(parts.slice(0, -1).map((variable) => variable.split(/=(.*)/s))))
  process.chdir(process.env.PWD!)
  process.argv = [process.execPath, entry, ...words]
  process.exitCode = undefined
  // Evaluates this file again, but not those that it requires.
  delete require.cache[entry]
  count++
  require(entry)
}
