import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf, commandsOf } from './markdown.ts'
import { createProcesses, openShell, type Place, startCommands } from './processes.ts'
import type { Report } from './report.ts'

export const SERVER = 'http://127.0.0.1:4400'
const PORT = 'port 4400'
/** The ports on which the programs of a page listen. */
export const portsOf = (page: string): number[] =>
  [...page.matchAll(/keeps running: port (\d+)/g)].map(([, port]) => Number(port))
/** The server for pages that do not start one. */
const SHARED = 'shared server'

/** Runs the commands of pages in their order. */
interface Reader {
  /** Runs all commands of a page. If the page starts no server, the shared one is running and was just reset. */
  follow(page: string, text: string): Promise<void>
  /** Starts the shared server at `SERVER`, or resets it. */
  serve(): Promise<void>
  close(): Promise<void>
}

/** The program must be built. */
export function createReader(root: string, report: Pick<Report, 'check' | 'skip'>): Reader {
  const place = scratch(root)
  const processes = createProcesses(place)
  const commands = startCommands(place)

  async function serve(): Promise<void> {
    if (!processes.has(SHARED)) return processes.start(SHARED, 'node dist/mercadito.js', PORT)
    const { ok } = await fetch(`${SERVER}/_sandbox/reset`, { method: 'POST' })
    if (!ok) throw new Error('the server cannot be reset')
  }

  return {
    serve,
    async follow(page, text) {
      const blocks = blocksOf(text).flatMap(({ marks, ...block }) => {
        const lines = commandsOf(block)
        return lines.length > 0 ? [{ lines, marks }] : []
      })
      if (blocks.length === 0) return
      if (blocks.some(({ marks }) => marks['keeps running'] === PORT)) await processes.stop(SHARED)
      else await serve()
      const shell = openShell(place)
      for (const { lines, marks } of blocks) {
        const reason = marks['not run'] ?? (marks.needs && !isInstalled(marks.needs) ? `needs ${marks.needs}` : '')
        const ready = marks['keeps running']
        if (marks.stops) await processes.stop(marks.stops)
        for (const line of lines) {
          if (reason !== '') report.skip(`${page}: ${line}`, reason)
          else
            await report.check(`${page}: ${line}`, () => {
              // The packages are installed already.
              const command = line.replace(/^npm ci && /, '')
              return ready ? processes.start(ready, command, ready) : shell.run(command)
            })
        }
      }
      shell.close()
      await processes.stopAllBut(SHARED)
    },
    async close() {
      commands.kill()
      await processes.stopAllBut()
      rmSync(place.cwd, { recursive: true })
    },
  }
}

/** A copy of the repository by links, so that commands write their files there. */
export function scratch(root: string): Place {
  const cwd = mkdtempSync(join(tmpdir(), 'mercadito-docs-'))
  for (const name of readdirSync(root)) if (name !== '.git') symlinkSync(join(root, name), join(cwd, name))
  const bin = join(cwd, '.bin')
  mkdirSync(bin)
  for (const [name, script] of Object.entries(replacements(root)))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
  const env = Object.entries(process.env).filter(([name]) => !name.startsWith('MERCADITO_'))
  const PATH = `${bin}:${process.env.PATH}`
  return { cwd, env: { ...Object.fromEntries(env), PATH, PIPES: bin, NO_COLOR: '1', PYTHONDONTWRITEBYTECODE: '1' } }
}

/**
 * `npx mercadito` searches for a package, and `npm start` builds, which takes a second each time: these start the built
 * program. `npm start` with flags of npm itself, which docs/guides/ci.md has, is not replaced.
 */
function replacements(root: string): Record<string, string> {
  const program = `exec '${process.execPath}' '${join(root, 'dist/mercadito.js')}' "$@"`
  const otherwise = (name: string) => `PATH="\${PATH#*:}" exec ${name} "$@"`
  return {
    npx: `[ "$1" = mercadito ] && { shift; ${program}; }\n${otherwise('npx')}`,
    npm: `case "$*" in start) shift; ${program} ;; 'start -- '*) shift 2; ${program} ;; esac\n${otherwise('npm')}`,
  }
}

export const isInstalled = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0
