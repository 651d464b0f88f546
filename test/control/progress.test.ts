import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { type Answer, start } from '../support/app.ts'

const folder = mkdtempSync(join(tmpdir(), 'mercadito-progress-'))
t.teardown(() => rmSync(folder, { recursive: true }))
const { control, worlds } = await start(t)

interface Progress {
  operation: string
  world: number | null
  unit: string
  done: number
  total: number
  ms: number
}
const progress = async (): Promise<Progress[]> => {
  const { status, body } = await control('GET /progress')
  if (status !== 200) throw new Error(body.message)
  return body.results
}

/** The progress of a call, read until it ends. */
async function watch(call: Promise<Answer>, status = 201): Promise<Progress[]> {
  const seen: Progress[] = []
  let hasEnded = false
  void call.then(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    seen.push(...(await progress()))
    await new Promise(setImmediate)
  }
  t.equal((await call).status, status)
  t.strictSame(await progress(), [], 'a call that has ended is not listed')
  return seen
}
const isSorted = (numbers: number[]) => numbers.every((one, n) => n === 0 || numbers[n - 1]! <= one)

t.test('lists a simulation with its days', async (t) => {
  t.equal((await control('POST /worlds', { from: 1 })).status, 201)
  const seen = await watch(control('POST /simulate', { days: 60 }, '/w/2'))
  t.ok(seen.length > 10)
  const expected = { operation: 'simulate', world: 2, unit: 'days', total: 60 }
  t.strictSame(
    seen.map(({ done: _, ms: __, ...rest }) => rest),
    seen.map(() => expected),
  )
  t.ok(isSorted(seen.map(({ ms }) => ms)))
  const done = seen.map(({ done }) => done)
  t.ok(isSorted(done) && done.every((days) => days >= 0 && days <= 60))
  t.ok(done.some((days) => days > 10 && days < 30) && done.some((days) => days > 30 && days < 50), 'in between')
})

t.test('lists a backup with its bytes', async (t) => {
  const backup = control('POST /backup', { folder: join(folder, 'monday') })
  const seen = await watch(backup)
  const { bytes } = (await backup).body
  t.ok(seen.length > 0)
  const expected = { operation: 'backup', world: null, unit: 'bytes' }
  t.strictSame(
    seen.map(({ done: _, total: __, ms: ___, ...rest }) => rest),
    seen.map(() => expected),
  )
  t.ok(seen.every(({ done, total }) => done <= total && total >= bytes * 0.9))
  t.ok(isSorted(seen.map(({ done }) => done)))
  t.ok(seen.some(({ done }) => done > 0))
})

t.test('lists a restore with the bytes of the snapshot', async (t) => {
  const { world } = (await control('POST /worlds', { from: 1 })).body
  const base = `/w/${world.id}`
  t.equal((await control('POST /snapshots', { name: 'before' }, base)).status, 201)
  const { size: total } = statSync(join(worlds.folder, `world-${world.id}.snapshot.before.sqlite`))
  // The copy may end before it is seen.
  let seen: Progress[] = []
  for (let n = 0; n < 50 && !seen.some(({ done }) => done > 0); n++)
    seen = await watch(control('POST /snapshots/before/restore', undefined, base), 204)
  t.ok(seen.some(({ done }) => done > 0))
  t.strictSame(
    seen.map(({ done: _, ms: __, ...rest }) => rest),
    seen.map(() => ({ operation: 'restore', world: world.id, unit: 'bytes', total })),
  )
  t.ok(isSorted(seen.map(({ done }) => done)))
  t.ok(seen.every(({ done }) => done <= total))
})

t.test('a call that is rejected is not listed', async (t) => {
  t.equal((await control('POST /backup', { folder: join(folder, 'monday') })).status, 400)
  t.equal((await control('POST /snapshots/unknown/restore')).status, 404)
  t.strictSame(await progress(), [])
})
