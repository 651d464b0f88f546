import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// `node tools/nightly/slow_machine.ts npm test` runs a command, and all that it starts, beside three busy processes for each
// CPU: it gets about a quarter of their time.

const BUSY = 3 * availableParallelism()

const [file, ...args] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: slow_machine.ts COMMAND')
process.stderr.write(`beside ${BUSY} busy processes\n`)
const busy = Array.from({ length: BUSY }, () => spawn(process.execPath, ['-e', 'for (;;);']))
const child = spawn(file, args, { stdio: 'inherit' })
try {
  process.exitCode = await new Promise<number>((resolve, reject) =>
    child.on('error', reject).on('close', (code) => resolve(code ?? 1)),
  )
} finally {
  for (const one of busy) one.kill('SIGKILL')
}
