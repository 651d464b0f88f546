import { readdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { call, launch, type RunningServer } from '../support/bundle.ts'
import { crashFolder, untilKilled } from '../support/crashes.ts'
import { randomNumbers, SEED, sizeOr, workFactor } from '../support/torture.ts'
import { until } from '../support/until.ts'

const data = crashFolder(t)

const ROUNDS = sizeOr(3)
/** Operations before each kill, on average. */
const OPERATIONS = 40 * workFactor(ROUNDS)
const CLIENTS = 3
/** Worlds of each client. */
const MAX_WORLDS = 3
/** Worlds that exist at the end of each round. */
const MIN_WORLDS = 2

/** The expected content of a world: its last mark and the marks of its snapshots. */
interface ExpectedWorld {
  mark: string
  snapshots: Map<string, string>
  seller: string
  buyer: string
}

/** Calls for its own worlds, one call after the other. */
interface Client {
  /** Worlds that exist, and worlds that must not. */
  worlds: Map<number, ExpectedWorld>
  deleted: Set<number>
  /** Checks the operation in flight at the kill, which may or may not have happened. */
  settle: ((server: RunningServer) => Promise<void>) | undefined
}
const clients = Array.from(
  { length: CLIENTS },
  (): Client => ({ worlds: new Map(), deleted: new Set(), settle: undefined }),
)
const countWorlds = () => clients.reduce((sum, { worlds }) => sum + worlds.size, 0)
/** Acknowledged operations. */
let operations = 0
const random = randomNumbers(SEED)

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

/** Runs operations until the server is killed. */
async function work(server: RunningServer, client: Client): Promise<void> {
  await untilKilled(async () => {
    for (;;) {
      await runOperation(server, client)
      client.settle = undefined
      operations++
    }
  })
}

async function runOperation(server: RunningServer, client: Client): Promise<void> {
  const { worlds, deleted } = client
  const ids = [...worlds.keys()]
  const id = ids[Math.floor(random() * ids.length)]
  const operation = Math.floor(random() * 9)
  if (id === undefined || (operation === 0 && worlds.size < MAX_WORLDS)) return createWorld(server, client)
  const expected = worlds.get(id)!
  /** The world may get the mark. */
  const allowMark = (mark: string) => {
    client.settle = async (server) => {
      if ((await readMark(server, expected)) === mark) expected.mark = mark
    }
  }
  if (operation === 1 && worlds.size > 1) {
    worlds.delete(id)
    deleted.add(id)
    client.settle = async (server) => {
      if ((await call(server, 'GET', `/_sandbox/worlds/${id}`)).status === 404) return
      deleted.delete(id)
      worlds.set(id, expected)
    }
    await call(server, 'DELETE', `/_sandbox/worlds/${id}`)
  } else if (operation === 2) {
    allowMark(START)
    await call(server, 'POST', `/w/${id}/_sandbox/reset`)
    expected.mark = START
  } else if (operation === 3) await createSnapshot(server, client, id, expected)
  else if (operation === 4 && expected.snapshots.size > 0) {
    const [name, mark] = [...expected.snapshots][Math.floor(random() * expected.snapshots.size)]!
    allowMark(mark)
    await call(server, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
    expected.mark = mark
  } else if (operation === 5) await changeAndUndo(server, client, id, expected)
  else {
    const text = `marca ${Math.floor(random() * 1e9)}`
    // A second later, so that it is the newest.
    await call(server, 'POST', `/w/${id}/_sandbox/clock/advance`, { by: 'PT1S' })
    allowMark(text)
    await ask(server, expected, text)
  }
}

async function ask(server: RunningServer, expected: ExpectedWorld, text: string): Promise<void> {
  const response = await call(server, 'POST', '/questions', { item_id: 'MLA1400000001', text }, expected.buyer)
  if (response.status !== 201) throw new Error(JSON.stringify(response))
  expected.mark = text
}

/** Asks a question after a snapshot, and takes both back. */
async function changeAndUndo(
  server: RunningServer,
  client: Client,
  id: number,
  expected: ExpectedWorld,
): Promise<void> {
  const { mark } = expected
  const text = `marca deshecha ${Math.floor(random() * 1e9)}`
  // Each of the two states is valid, until the undo is acknowledged.
  client.settle = async (server) => {
    const actual = await readMark(server, expected)
    if (actual === mark || actual === text) expected.mark = actual
  }
  const { status } = await fetch(`${server.url}/w/${id}/_sandbox/clock/advance`, {
    method: 'POST',
    headers: { 'x-sandbox-snapshot': 'crash' },
    body: '{"by":"PT1S"}',
  })
  if (status !== 200) throw new Error(`clock/advance: ${status}`)
  await ask(server, expected, text)
  const undone = await call(server, 'POST', `/w/${id}/_sandbox/undo`, { automatic: 'control' })
  if (undone.status !== 200) throw new Error(JSON.stringify(undone))
  expected.mark = mark
}

async function createWorld(server: RunningServer, { worlds }: Client): Promise<void> {
  const { body } = await call(server, 'POST', '/_sandbox/worlds', { scenario: 'demo', now: '2026-03-02T12:00:00Z' })
  worlds.set(body.world.id, {
    mark: START,
    snapshots: new Map(),
    seller: body.sellers[0].token,
    buyer: body.buyers[0].token,
  })
}

async function createSnapshot(
  server: RunningServer,
  client: Client,
  id: number,
  { mark, snapshots }: ExpectedWorld,
): Promise<void> {
  const name = `s${Math.floor(random() * 3)}`
  const before = snapshots.get(name)
  snapshots.delete(name)
  client.settle = async (server) => {
    // Each of the two states of the snapshot is valid.
    const { status } = await call(server, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
    if (status === 404 && before === undefined) return
    const expected = client.worlds.get(id)!
    const actual = await readMark(server, expected)
    if (actual !== mark && actual !== before) throw new Error(`snapshot ${name} of ${id} has ${actual}`)
    expected.mark = actual
    expected.snapshots.set(name, actual)
  }
  await call(server, 'POST', `/w/${id}/_sandbox/snapshots`, { name })
  snapshots.set(name, mark)
}

t.test('acknowledged worlds, resets, snapshots and undos survive SIGKILL', async (t) => {
  let checked = 0
  for (let round = 0; round <= ROUNDS; round++) {
    const server = await launch(t, '--data', data)
    for (const client of clients) {
      await client.settle?.(server)
      client.settle = undefined
      for (const [id, expected] of client.worlds) {
        t.equal(await readMark(server, expected), expected.mark, `world ${id}`)
        checked++
      }
      for (const id of client.deleted) t.equal((await call(server, 'GET', `/_sandbox/worlds/${id}`)).status, 404)
    }
    t.strictSame(
      readdirSync(data).filter((name) => /\.new|template|passing/.test(name)),
      [],
      'no temporary file is left',
    )
    if (round === ROUNDS) {
      await server.stop()
      break
    }
    const finished = Promise.all(clients.map((client) => work(server, client)))
    const goal = operations + OPERATIONS * (0.5 + random())
    await until(`${goal} operations`, () => operations >= goal && countWorlds() >= MIN_WORLDS, 120_000)
    await setTimeout(20 * random())
    await server.stop('SIGKILL')
    await finished
  }
  t.ok(checked >= ROUNDS * MIN_WORLDS, `${checked} worlds checked`)
})
