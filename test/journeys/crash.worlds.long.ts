import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { call, launch, type Running } from '../support/bundle.ts'

const data = mkdtempSync(join(tmpdir(), 'mercadito-crash-'))
t.teardown(() => rmSync(data, { recursive: true }))

const ROUNDS = 8

/** What a world must hold: the mark that was asked last, and what its snapshots have. */
interface Known {
  mark: string
  snapshots: Map<string, string>
  seller: string
  buyer: string
}
/** Numbers that were made, and those that must be gone. */
const worlds = new Map<number, Known>()
const gone = new Set<number>()

const START = 'nothing was asked'

/** The mark that a world has now: its newest question, if it is one of ours. */
async function markOf(server: Running, { seller }: Known): Promise<string> {
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
 * Does one thing after the other until the server is killed; answers what was on its way: either of two outcomes is
 * right.
 */
async function work(server: Running, random: () => number): Promise<(() => Promise<void>) | undefined> {
  let pending: (() => Promise<void>) | undefined
  try {
    for (let n = 0; ; n++) {
      const ids = [...worlds.keys()]
      const id = ids[Math.floor(random() * ids.length)]
      const known = id === undefined ? undefined : worlds.get(id)!
      const what = id === undefined ? 0 : Math.floor(random() * 8)
      pending = undefined
      const may = (change: () => void, mark: string) => {
        pending = async () => {
          if ((await markOf(server_.now!, known!)) === mark) change()
        }
      }
      if (!known || (what === 0 && worlds.size < 6)) {
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
      } else if (what === 1 && worlds.size > 3) {
        // Deleted, or on its way: which of both is seen after the restart.
        worlds.delete(id!)
        gone.add(id!)
        pending = async () => {
          if ((await call(server_.now!, 'GET', `/_sandbox/worlds/${id}`)).status === 404) return
          gone.delete(id!)
          worlds.set(id!, known)
        }
        await call(server, 'DELETE', `/_sandbox/worlds/${id}`)
      } else if (what === 2) {
        may(() => (known.mark = START), START)
        await call(server, 'POST', `/w/${id}/_sandbox/reset`)
        known.mark = START
      } else if (what === 3) {
        const [name, mark] = [`s${n % 3}`, known.mark]
        const before = known.snapshots.get(name)
        known.snapshots.delete(name)
        pending = async () => {
          // Either state of the snapshot is right, nothing else.
          const { status } = await call(server_.now!, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
          if (status === 404 && before === undefined) return
          const is = await markOf(server_.now!, known)
          if (is !== mark && is !== before) throw new Error(`snapshot ${name} of ${id} has ${is}`)
          known.mark = is
          known.snapshots.set(name, is)
        }
        await call(server, 'POST', `/w/${id}/_sandbox/snapshots`, { name })
        known.snapshots.set(name, mark)
      } else if (what === 4 && known.snapshots.size > 0) {
        const [name, mark] = [...known.snapshots][Math.floor(random() * known.snapshots.size)]!
        may(() => (known.mark = mark), mark)
        await call(server, 'POST', `/w/${id}/_sandbox/snapshots/${name}/restore`)
        known.mark = mark
      } else {
        const text = `marca ${n} ${Math.floor(random() * 1e9)}`
        // Later by a second, so that it is the newest.
        await call(server, 'POST', `/w/${id}/_sandbox/clock/advance`, { by: 'PT1S' })
        may(() => (known.mark = text), text)
        const asked = await call(server, 'POST', '/questions', { item_id: 'MLA1400000001', text }, known.buyer)
        if (asked.status !== 201) throw new Error(JSON.stringify(asked))
        known.mark = text
      }
      pending = undefined
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return pending
  }
}
const server_: { now?: Running } = {}

t.test('worlds, resets and snapshots that were acknowledged survive SIGKILL', async (t) => {
  let state = 42
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
    for (const [id, known] of worlds) {
      t.equal(await markOf(server, known), known.mark, `world ${id}`)
      checked++
    }
    for (const id of gone) t.equal((await call(server, 'GET', `/_sandbox/worlds/${id}`)).status, 404)
    t.strictSame(
      readdirSync(data).filter((name) => /\.new|template/.test(name)),
      [],
      'nothing half made is left',
    )
    if (round === ROUNDS) {
      await server.end()
      break
    }
    const working = work(server, random)
    await new Promise((resolve) => setTimeout(resolve, 300 + 400 * random()))
    await server.end('SIGKILL')
    pending = await working
  }
  t.ok(checked > ROUNDS, `${checked} worlds were looked at`)
})
