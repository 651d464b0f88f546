import fs, { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { createTemporaryFolder, FolderInUse, openDataFolder, renameAtomically } from '../../db/folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-test-'))
t.teardown(() => rmSync(folder, { recursive: true }))

t.test('a data folder is locked by one process', async (t) => {
  const path = join(folder, 'kept', 'deep')
  const kept = openDataFolder(path)
  t.throws(() => openDataFolder(path), new FolderInUse(`${path} is in use by another mercadito`))
  kept.release()
  openDataFolder(path).release()
})

t.test('removes temporary folders of ended processes only', async (t) => {
  const parent = mkdtempSync(join(folder, 'temporary-'))
  const worlds = () => readdirSync(parent).filter((name) => name.startsWith('mercadito-world-'))
  const one = createTemporaryFolder(parent)
  const two = createTemporaryFolder(parent)
  t.equal(worlds().length, 2, 'that of a running process stays')
  one.release()
  t.notOk(existsSync(one.path))
  const [dead, foreign] = [join(parent, 'mercadito-world-dead'), join(parent, 'mercadito-world-without-lock')]
  mkdirSync(dead)
  writeFileSync(join(dead, 'mercadito.lock'), '')
  mkdirSync(foreign)
  createTemporaryFolder(parent).release()
  t.notOk(existsSync(dead), 'that of an ended process is removed')
  two.release()
  t.strictSame(worlds(), ['mercadito-world-without-lock'], 'a folder without a lock file stays')
})

/** What is synced and renamed in the folder, in this order. */
function durableSteps(work: () => void): string[] {
  const { openSync, fsyncSync, renameSync } = fs
  const steps: string[] = []
  const opened = new Map<number, string>()
  const nameOf = (path: unknown) => String(path).slice(folder.length + 1) || '.'
  fs.openSync = ((path, ...more) => {
    const descriptor = openSync(path, ...more)
    opened.set(descriptor, nameOf(path))
    return descriptor
  }) as typeof openSync
  fs.fsyncSync = (descriptor) => {
    steps.push(`sync ${opened.get(descriptor)}`)
    fsyncSync(descriptor)
  }
  fs.renameSync = (from, to) => {
    steps.push(`rename ${nameOf(from)}`)
    renameSync(from, to)
  }
  syncBuiltinESMExports()
  try {
    work()
    return steps
  } finally {
    Object.assign(fs, { openSync, fsyncSync, renameSync })
    syncBuiltinESMExports()
  }
}

t.test('syncs a file before it is renamed, then its folder, and a new folder with those that it is in', async (t) => {
  const from = join(folder, 'a')
  writeFileSync(from, 'x')
  const rename = (durable: boolean) => () => renameAtomically(from, from, folder, durable)
  t.strictSame(durableSteps(rename(true)), ['sync a', 'rename a', 'sync .'])
  t.strictSame(durableSteps(rename(false)), ['rename a'])
  const release: (() => void)[] = []
  const open = () => release.push(openDataFolder(join(folder, 'one', 'two')).release)
  t.strictSame(durableSteps(open), ['sync one/two', 'sync one', 'sync .'])
  release[0]!()
  t.strictSame(durableSteps(open), [], 'it was there')
  release[1]!()
})

t.test('renames a complete file, durably or not', async (t) => {
  const from = join(folder, 'draft')
  writeFileSync(from, 'x')
  for (const durable of [true, false]) {
    const to = join(folder, `renamed-${durable}`)
    renameAtomically(durable ? from : join(folder, 'renamed-true'), to, folder, durable)
    t.equal(readFileSync(to, 'utf8'), 'x')
  }
  t.notOk(existsSync(from))
})
