import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { run, runWith } from '../support/bundle.ts'

/** Runs a command that keeps its compiled code in a folder. */
async function runIn(t: Test, folder: string): Promise<void> {
  const expected = await run('--version')
  t.strictSame(await runWith({ NODE_COMPILE_CACHE: folder }, '--version'), { ...expected, code: 0 })
}

const filesIn = (folder: string) =>
  readdirSync(join(folder, 'mercadito')).map((name) => join(folder, 'mercadito', name))
/** They change when a file is written again. */
const idsOf = (files: string[]) => files.map((file) => statSync(file).ino)

t.test('a process keeps the code that it has compiled, and others use it', async (t) => {
  const folder = t.testdir()
  await runIn(t, folder)
  const files = filesIn(folder)
  t.ok(files.length > 1)
  const ids = idsOf(files)
  await runIn(t, folder)
  t.strictSame(filesIn(folder), files)
  t.strictSame(idsOf(files), ids)
})

t.test('a file is written again if it is not whole, or if others may write to it', async (t) => {
  const folder = t.testdir()
  await runIn(t, folder)
  const [damaged, cut, open, ...others] = filesIn(folder) as [string, string, string, ...string[]]
  const ids = idsOf(others)
  const code = readFileSync(damaged)
  const changed = Buffer.from(code)
  changed.writeUInt8(changed.readUInt8(code.length >> 1) ^ 1, code.length >> 1)
  writeFileSync(damaged, changed)
  writeFileSync(cut, '')
  chmodSync(open, 0o666)
  await runIn(t, folder)
  t.notOk(readFileSync(damaged).equals(changed))
  t.ok(statSync(cut).size > 0)
  t.equal(statSync(open).mode & 0o777, 0o600)
  t.strictSame(idsOf(others), ids)
})

t.test('files that are old go when another one is written', async (t) => {
  const folder = t.testdir()
  await runIn(t, folder)
  const [old, recent] = ['old', 'recent'].map((name) => join(folder, 'mercadito', name)) as [string, string]
  const aMonthAgo = Date.now() / 1000 - 31 * 24 * 60 * 60
  for (const path of [old, recent]) writeFileSync(path, '')
  utimesSync(old, aMonthAgo, aMonthAgo)
  writeFileSync(filesIn(folder)[0]!, '')
  await runIn(t, folder)
  t.strictSame([existsSync(old), existsSync(recent)], [false, true])
})

t.test('a program works without a place for compiled code', async (t) => {
  const folder = t.testdir({ file: '' })
  await runIn(t, join(folder, 'file'))
  const { code } = await runWith({ NODE_COMPILE_CACHE: folder, NODE_DISABLE_COMPILE_CACHE: '1' }, '--version')
  t.equal(code, 0)
  t.strictSame(readdirSync(folder), ['file'])
})
