import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Runs the commands of the README as a new user would: what starts a server stays up until the next one starts, what
// comes after it must succeed. `npm ci` and the tests are left out: whoever runs this has just run them.

const root = fileURLToPath(new URL('..', import.meta.url))
const text = readFileSync(join(root, 'README.md'), 'utf8')
const commands = [...text.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) => block!.trim().split('\n'))
const scratch = mkdtempSync(join(tmpdir(), 'mercadito-readme-'))

let server: ChildProcess | undefined
let ran = 0
try {
  for (const written of commands) {
    const command = written.replace('npm ci && ', '').replace('./market', join(scratch, 'market'))
    if (command === 'npm test') continue
    process.stderr.write(`$ ${command}\n`)
    if (command.startsWith('npm start') && !command.includes('--help')) {
      await stop(server)
      server = await started(command)
    } else run(command)
    ran++
  }
} finally {
  await stop(server)
  rmSync(scratch, { recursive: true })
}
process.stdout.write(`${ran} commands of the README work\n`)

/** Starts a server in a process group of its own and waits until it says that it is ready. */
async function started(command: string): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', command], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  for await (const chunk of child.stdout) if (/listens on|"url":/.test(String(chunk))) return child
  throw new Error(`${command} did not start`)
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (!child) return
  const gone = once(child, 'exit')
  process.kill(-child.pid!, 'SIGTERM')
  await gone
}

/** Calls must be answered without an error. */
function run(command: string): void {
  const line = command.replace(/^curl /, 'curl --silent --show-error --fail ')
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], { cwd: root, encoding: 'utf8' })
  if (status !== 0 || stdout.length === 0) throw new Error(`${command}\n${stderr}`)
}
