import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { call, launch, type RunningServer } from '../support/bundle.ts'
import { seedOr, sizeOr } from '../support/torture.ts'

const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
t.teardown(() => rmSync(data, { recursive: true }))

const ROUNDS = sizeOr(8)
/** Worlds that exist at the end of each round, also on a slow machine. */
const MIN_WORLDS = 2

/** The expected content of a world: its last mark and the marks of its snapshots. */
interface ExpectedWorld {
  mark: string
  snapshots: Map<string, string>
  seller: string
  buyer: string
}
/** Worlds that exist, and worlds that must not. */
const worlds = new Map<number, ExpectedWorld>()
const deleted = new Set<number>()

const START = 'no question'

/** The current mark of a world: its newest question, if written by this test. */
async function readMark(server: RunningServer, { seller }: ExpectedWorld): Promise<string> {
  const { status, body } = await call(
    server,
    'GET',
    '/questions/search?limit=1&sort_fields=date_created&sort_types=DESC',
    undefined,
    seller,
  )
  if (status !== 200) throw new Error(JSON.stringify(body))
  const text: string = body.questions[0]?.text ?? ''
  return text.startsWith('marca') ? text : START
}

/**
 * Runs operations until the server is killed. Returns a check of the operation in flight, which may or may not have
 * happened.
 */
async function work(server: RunningServer, random: () => number): Promise<(() => Promise<void>) | undefined> {
  let pending: (() => Promise<void>) | undefined
  try {
    for (let n = 0; ; n++) {
      const ids = [...worlds.keys()]
      const id = ids[Math.floor(random() * ids.length)]
      const expected = id === undefined ? undefined : worlds.get(id)!
      const operation = id === undefined ? 0 : Math.floor(random() * 8)
      pending = undefined
      const allow = (change: () => void, mark: string) => {
        pending = async () => {
          if ((await readMark(server_.now!, expected!)) === mark) change()
        }
      }
      if (!expected || (operation === 0 && worlds.size < 6)) {
        const { body } = await call(server, 'POST', '/_sandbox/worlds', {
          scenario: 'demo',
          now: '2026-03-02T12:00:00Z',
        })
        worlds.set(body.world.id, {
          mark: START,
          snapshots: new Map(),
          seller: body.sellers[0].token,
          buyer: body.buyers[0].token,
        })
      } else if (operation === 1 && worlds.size > 3) {
        // Deleted or still in flight: the check after the restart decides.
        worlds.delete(id!)
        deleted.add(id!)
        pending = async () => {
          if ((await call(server_.now!, 'GET', `/_sandbox/worlds/${id}`)).status === 404) return
          deleted.delete(id!)
          worlds.set(id!, expected)
        }
        await call(server, 'DELETE', `/_sandbox/worlds/${id}`)
      } else if (operation === 2) {
        allow(() => (expected.mark = START), START)
        await call(server, 'POST', `/w/${id}/_sandbox/reset`)
        expected.mark = START
      } else if (operation === 3) {
        const [name, mark] = [`s${n % 3}`, expected.mark]
        const before = expected.snapshots.get(name)
        expected.snapshots.delete(name)
        pending = async () => {
          // Each of the two states of the snapshot is valid.
          const { status } = await call(server_.now!, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
          if (status === 404 && before === undefined) return
          const actual = await readMark(server_.now!, expected)
          if (actual !== mark && actual !== before) throw new Error(`snapshot ${name} of ${id} has ${actual}`)
          expected.mark = actual
          expected.snapshots.set(name, actual)
        }
        await call(server, 'POST', `/w/${id}/_sandbox/snapshots`, { name })
        expected.snapshots.set(name, mark)
      } else if (operation === 4 && expected.snapshots.size > 0) {
        const [name, mark] = [...expected.snapshots][Math.floor(random() * expected.snapshots.size)]!
        allow(() => (expected.mark = mark), mark)
        await call(server, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
        expected.mark = mark
      } else {
        const text = `marca ${n} ${Math.floor(random() * 1e9)}`
        // A second later, so that it is the newest.
        await call(server, 'POST', `/w/${id}/_sandbox/clock/advance`, { by: 'PT1S' })
        allow(() => (expected.mark = text), text)
        const response = await call(server, 'POST', '/questions', { item_id: 'MLA1400000001', text }, expected.buyer)
        if (response.status !== 201) throw new Error(JSON.stringify(response))
        expected.mark = text
      }
      pending = undefined
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return pending
  }
}
const server_: { now?: RunningServer } = {}

t.test('acknowledged worlds, resets and snapshots survive SIGKILL', async (t) => {
  let state = seedOr(42)
  const random = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
  let checked = 0
  let pending: (() => Promise<void>) | undefined
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await launch(t, '--data', data)
    server_.now = server
    await pending?.()
    for (const [id, expected] of worlds) {
      t.equal(await readMark(server, expected), expected.mark, `world ${id}`)
      checked++
    }
    for (const id of deleted) t.equal((await call(server, 'GET', `/_sandbox/worlds/${id}`)).status, 404)
    t.strictSame(
      readdirSync(data).filter((name) => /\.new|template/.test(name)),
      [],
      'no temporary file is left',
    )
    if (round === ROUNDS) {
      await server.stop()
      break
    }
    const finished = work(server, random)
    await setTimeout(300 + 400 * random())
    while (worlds.size < MIN_WORLDS) await setTimeout(5)
    await server.stop('SIGKILL')
    pending = await finished
  }
  t.ok(checked >= ROUNDS * MIN_WORLDS, `${checked} worlds checked`)
})
