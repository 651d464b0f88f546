import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { call, launch, type RunningServer } from '../support/bundle.ts'
import { crashFolder, openCrashed, untilKilled } from '../support/crashes.ts'
import { randomNumbers, SEED, sizeOr, workFactor } from '../support/torture.ts'
import { until } from '../support/until.ts'

const data = crashFolder(t)

const ROUNDS = sizeOr(2)
/** Acknowledged calls before each kill. */
const CALLS = 60 * workFactor(ROUNDS)
const CLIENTS = 4
const random = randomNumbers(SEED)
/** Contacts per call. */
const CONTACTS_PER_CALL = 500
const LISTINGS = Array.from({ length: 20 }, (_, n) => `MLA14000000${String(n + 1).padStart(2, '0')}`)
/** Before the history of the scenario; each call has its own instant. */
const FIRST_INSTANT = Date.UTC(2020, 0, 1)

/** Records contacts until the connection breaks. */
async function write(server: RunningServer, acknowledged: Set<number>, sent: Set<number>): Promise<void> {
  await untilKilled(async () => {
    for (;;) {
      const at = FIRST_INSTANT + sent.size
      const body = LISTINGS.flatMap((item_id) => ({
        kind: 'phone_view',
        item_id,
        at: new Date(at).toISOString(),
        count: CONTACTS_PER_CALL / LISTINGS.length,
      }))
      sent.add(at)
      const { status } = await call(server, 'POST', '/_sandbox/contacts', body)
      if (status !== 201) throw new Error(`POST /contacts answers ${status}`)
      acknowledged.add(at)
    }
  })
}

t.test('acknowledged contacts survive SIGKILL during a checkpoint', async (t) => {
  const acknowledged = new Set<number>()
  const sent = new Set<number>()
  for (let round = 1; round <= ROUNDS; round++) {
    const server = await launch(t, '--data', data)
    const writers = Array.from({ length: CLIENTS }, () => write(server, acknowledged, sent))
    await until(`${round * CALLS} calls`, () => acknowledged.size >= round * CALLS, 120_000)
    await setTimeout(10 * random())
    await server.stop('SIGKILL')
    await Promise.all(writers)
  }
  await (await launch(t, '--data', data)).stop()

  const rows = openCrashed(t, data)
  const [{ origin }] = rows('SELECT origin FROM world') as [{ origin: number }]
  const counts = rows(
    `SELECT at + ${origin} at, count(*) n FROM contact_event WHERE kind = 'phone_views' AND at < ${FIRST_INSTANT + sent.size - origin} GROUP BY at`,
  ) as { at: number; n: number }[]
  const stored = new Map(counts.map(({ at, n }) => [at, n]))
  t.strictSame(
    [...acknowledged].filter((at) => stored.get(at) !== CONTACTS_PER_CALL),
    [],
    'every acknowledged call is complete',
  )
  t.strictSame(
    counts.filter(({ at, n }) => n !== CONTACTS_PER_CALL || !sent.has(at)),
    [],
    'no call is incomplete',
  )
})
