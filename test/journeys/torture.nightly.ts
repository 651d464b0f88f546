import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const state = mkdtempSync(join(tmpdir(), 'mercadito-torture-'))
t.teardown(() => rmSync(state, { recursive: true }))

/** Without `soak`, which builds `dist/` while other tests use it. */
const torture = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)(process.execPath, ['test/gates/torture.ts', ...args, '--state', state])).stdout

t.test('figures of several starts add up, and each start continues with the next seed', async (t) => {
  t.equal(await torture('models', '2'), 'models: 2 of 20,000 sequences, next seed 2\n')
  t.equal(await torture('models', '1'), 'models: 3 of 20,000 sequences, next seed 3\n')
  t.equal(await torture('kills', '2'), 'kills: 2 of 2,000 kills, next seed 2\n')
  t.match(await torture('requests', '300'), /^requests: \d{3} of 5,000,000 requests, next seed 2\n$/)
  t.equal(await torture('models', '2', '--seed', '1'), 'models, seed 1: passed\n')
  t.match(
    await torture(),
    /^kills: 2 .+\nrequests: \d{3} .+\nmodels: 3 .+\ncluster: 0 .+\nsoak: 0 of 60 minutes, next seed 1\n$/,
  )
  t.strictSame(readdirSync(state).sort(), ['kills.json', 'models.json', 'requests.json'])
})

t.test('a failed run exits with 1, keeps its output, and does not count', async (t) => {
  const env = { ...process.env, TMPDIR: '/no-such-folder' }
  const args = ['test/gates/torture.ts', 'kills', '3', '--seed', '2', '--state', state]
  const failing = promisify(execFile)(process.execPath, args, { env })
  await t.rejects(failing, { code: 1, stderr: /repeat: npm run torture -- kills 3 --seed 2\n$/ })
  t.match(readFileSync(join(state, 'kills-2.log'), 'utf8'), /no-such-folder/)
  t.match(await torture(), /^kills: 2 of 2,000 kills, next seed 2$/m)
})
