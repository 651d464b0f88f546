#!/usr/bin/env node
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './npx.cjs'

// The `mercadito` command of a repository: runs the program with the Node of the dependencies, and builds it first if
// it is missing.

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const own = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const node = existsSync(own) ? own : process.execPath
const program = join(root, 'dist', 'mercadito.js')
const shell = process.platform === 'win32'

if (!existsSync(program)) {
  const { status } = spawnSync(node, [join(root, 'tools', 'build.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    shell,
  })
  if (status !== 0) process.exit(1)
}
const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit', shell })
// A terminal sends Ctrl-C to both processes, and a second signal ends the server at once. Supervisors signal only this one.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  })
child.on('error', (error) => {
  process.stderr.write(`mercadito: ${error.message}\n`)
  process.exit(1)
})
child.on('exit', (code, signal) => {
  if (signal) process.removeAllListeners(signal).kill(process.pid, signal)
  else process.exit(code ?? 1)
})
