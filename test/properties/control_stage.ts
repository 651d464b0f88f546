import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc, { type Arbitrary } from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { DEFAULT_WORLD } from '../../db/worlds.ts'
import { parseJson } from '../../http/bodies.ts'
import { start, type TestApp } from '../support/app.ts'
import { type Operation, operations } from '../support/openapi.ts'
import { writesOf } from '../support/writes.ts'
import { type Call, type Judged, judge } from './answers.ts'
import { datesAreReadable, judgeControl, must, saysWhere, told } from './control_answers.ts'
import { control } from './control_calls.ts'
import { PUBLIC, placed, tokenOf, USERS } from './control_pool.ts'
import { PRELUDE, type Story, TOLD } from './control_stories.ts'

export interface Stage extends TestApp {
  /** Tells stories, each in a world of its own; a failure tells the seed and the smallest story that shows it. */
  all(stories: Arbitrary<Story>, runs: number, seed?: number): Promise<void>
  tell(story: Story): Promise<void>
  /** Throws when anything that can be read of the default world, which no story is about, is not as it was. */
  othersAreAsBefore(): Promise<void>
  /** Calls that were judged so far. */
  cases(): number
  /** How often each operation, of either document, has answered with each status. */
  seen: Map<Operation, Map<number, number>>
}

/** Any number does; one that stays shows the same failure again. */
const SEED = 20_260_307
const NOW = '2026-03-07T15:00:00Z'

/** Reads that tell all of a world. */
const READS = control.operations.filter(
  ({ method, path }) => method === 'GET' && !/\{|\/(worlds|requests|openapi\.json)$/.test(path),
)

/** An app of its own for a file of properties, whose default world no story is about. */
export async function staged(t: Test): Promise<Stage> {
  const app = await start(t, { scenario: 'empty' })
  const { server, worlds, faults, control: order } = app
  const seen = new Map([...control.operations, ...operations].map((one) => [one, new Map<number, number>()]))
  let cases = 0
  let here = 0
  let there = 0
  let spare = 0
  let isTold = false

  const makeWorld = async (body: object): Promise<number> => (await order('POST /worlds', body)).body.world.id

  async function inject(call: Call): Promise<LightMyRequestResponse> {
    // Injected calls never leave the queue of promises: timers would wait for the last of them.
    if (++cases % 100 === 0) await setImmediate()
    const answer = await server.inject(call as never)
    const [fault] = faults.splice(0)
    if (fault) throw new Error(`a fault: ${fault.message.slice(0, 500)}`, { cause: fault })
    return answer
  }

  /** Deliveries change a world by themselves: they are waited for. */
  const settle = async () => {
    if (isTold && worlds.has(here)) await order('POST /settle', undefined, `/w/${here}`)
  }

  function count({ operation, outcome: { status } }: Judged): void {
    const counts = operation && seen.get(operation)
    counts?.set(status, (counts.get(status) ?? 0) + 1)
  }

  const filesOf = () =>
    readdirSync(worlds.folder).filter((name) => /^world-.*\.sqlite/.test(name) && !/-(wal|shm)$/.test(name))

  /**
   * Changes with whatever a world is: what is committed in its file, its time, its rules. Undefined where there is
   * none.
   */
  async function stateOf(id: number): Promise<string | undefined> {
    const world = await worlds.acquire(id)
    if (!world) return undefined
    const { mode, now } = world.clock
    const state = JSON.stringify([await writesOf(world), mode, mode === 'frozen' && now(), world.rules])
    worlds.release(world)
    return state
  }
  /** Changes with any world that comes, goes, or is another, and with all that the story's own is. */
  const stateOfAll = async (): Promise<string> => `${await stateOf(here)} ${filesOf()}`

  /** All that can be read of a world. */
  async function readingsOf(id: number): Promise<string[]> {
    const texts: string[] = []
    for (const { path } of READS) {
      const limit = path.endsWith('/world') ? '' : '?limit=1000'
      texts.push((await server.inject({ url: `/w/${id}${path}${limit}` })).payload)
    }
    return texts
  }

  const standing = await readingsOf(DEFAULT_WORLD)
  async function othersAreAsBefore(): Promise<void> {
    must(isDeepStrictEqual(await readingsOf(DEFAULT_WORLD), standing), 'a world that no call was about has changed')
  }

  /** Sends a control call and holds all that comes of it against what it may do; answers the state after it. */
  async function act(call: Call, before: string, closely = false): Promise<string> {
    // What runs is another at every look.
    const readings = closely && before.includes('"frozen"') ? await readingsOf(here) : undefined
    // An export moves what is committed into the file itself.
    const state = readings ? await stateOfAll() : before
    const answer = await inject(call)
    isTold ||=
      call.method === 'PUT' && /\/(notifications|clock|world)(\?|\/?$)/.test(call.url) && answer.statusCode < 300
    await settle()
    const judged = judgeControl(call, answer, worlds.has)
    saysWhere(judged, call)
    count(judged)
    const { operation, outcome } = judged
    const after = await stateOfAll()
    const { cause } = (outcome.body ?? {}) as { cause?: { imported?: number }[] }
    const isRead = call.method === 'GET' || call.method === 'HEAD'
    const mayChange = outcome.status < 300 ? !isRead : (cause?.[0]?.imported ?? 0) > 0
    must(
      mayChange || after === state || (isRead && operation?.path === '/_sandbox/world'),
      () => `changes ${state} to ${after}, and answers ${told(outcome)}`,
    )
    if (readings && !mayChange)
      must(isDeepStrictEqual(await readingsOf(here), readings), 'changes what is read, and may not')
    if (operation && mayChange && outcome.status < 300) await follow(call, operation, outcome)
    return readings ? stateOfAll() : after
  }

  /** What is made or changed reads so at its path; what is gone is not there. */
  async function follow(
    { url, headers: { host }, payload }: Call,
    { method, path }: Operation,
    { status, body }: Judged['outcome'],
  ) {
    const isMade = method === 'POST' && status === 201
    if (!isMade && method !== 'PATCH' && method !== 'DELETE') return
    const { id, name, world } = (body ?? {}) as { id?: unknown; name?: string; world?: { id: number } }
    if (world) there = world.id
    const { id: given } = (isMade && (parseJson(String(payload)).value as { id?: unknown } | null)) || {}
    const same = String(given).toLowerCase() === String(id).toLowerCase()
    must(given === undefined || same, `answers id ${id} where ${given} was given`)
    const [place] = url.split('?') as [string]
    const one = isMade ? `${place.replace(/\/$/, '')}/${world?.id ?? id ?? name}` : place
    const [segment] = /\{\w+\}$/.exec(path) ?? []
    if (!isMade && !segment) return
    const isRead = control.operations.some(
      (other) =>
        other.method === 'GET' &&
        other.path.replace(/\{\w+\}$/, '') === (isMade ? `${path}/` : path.replace(/\{\w+\}$/, '')) &&
        other.path.endsWith('}'),
    )
    if (!isRead) return
    const read = await inject({ method: 'GET', url: one, headers: host === undefined ? {} : { host } })
    if (status === 204) return must(read.statusCode === 404, `is gone, and reads ${read.statusCode} ${read.payload}`)
    must(
      isDeepStrictEqual(JSON.parse(read.payload), body),
      () => `answers ${JSON.stringify(body)} and reads ${read.payload}`,
    )
  }

  /** What goes wrong in a call, with the call. */
  async function named<T>(call: Call, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { method, url, headers, payload = '' } = call
      const sent = `${method} ${url} ${JSON.stringify(headers)} ${String(payload).slice(0, 1000)}`
      throw new Error(`${sent}: ${(error as Error).message}`, { cause: error })
    }
  }

  async function happen({ scenario, calls, after, closely }: Story): Promise<void> {
    here = await makeWorld({ scenario, now: NOW })
    there = spare
    let state = await stateOfAll()
    const say = (call: Call, closely?: boolean) =>
      named(call, async () => {
        state = await act(call, state, closely)
      })
    const post = (path: string, body: object): Call => ({
      method: 'POST',
      url: `/w/${here}/_sandbox${path}`,
      headers: {},
      payload: JSON.stringify(body),
    })
    for (const [path, body] of PRELUDE) await say(post(path, body))
    isTold = closely % 4 === 1
    if (isTold) for (const [method, path, body] of TOLD) await say({ ...post(path, body), method })
    for (const [n, call] of calls.entries()) {
      await say(placed(call, here, there), scenario === 'empty' && n === closely)
    }
    if (!worlds.has(here)) return
    // From here on the emulated API has to work, whatever has happened.
    await say({ ...post('/faults', {}), method: 'DELETE' })
    for (const user of USERS) await say(post('/tokens', { user_id: user, token: tokenOf(user) }))
    for (const sent of after) {
      const call = placed(sent, here, there)
      if (call.url.startsWith(`/w/${here}/_sandbox`)) await say(call)
      else {
        await named(call, async () => {
          const answer = await inject(call)
          await settle()
          datesAreReadable(answer.payload)
          count(judge(call, answer, { home: here, secrets: PUBLIC.secrets }))
        })
        state = await stateOfAll()
      }
    }
    // A history of demo is long; a clock that runs is another in every file.
    if (scenario === 'empty' && closely % 4 < 2 && state.includes('"frozen"')) await carryOver()
  }

  /** Whatever has happened can be taken away in a file, and loaded. */
  async function carryOver(): Promise<void> {
    const world = `/w/${here}/_sandbox/world`
    const { payload: file } = await inject({ method: 'GET', url: world, headers: {} })
    const call = { method: 'PUT', url: world, headers: {}, payload: file }
    await named(call, async () => {
      const loaded = await inject(call)
      must(loaded.statusCode === 200, `what was exported is refused: ${loaded.payload.slice(0, 500)}`)
      const { payload: again } = await inject({ method: 'GET', url: world, headers: {} })
      must(again === file, `another world comes back: ${differenceOf(file, again)}`)
    })
  }

  async function tell(story: Story): Promise<void> {
    // A story may have ended it by its number.
    if (!worlds.has(spare)) spare = await makeWorld({ scenario: 'empty', now: NOW })
    const before = await stateOf(DEFAULT_WORLD)
    try {
      await happen(story)
      // A fork of it moves what is committed into its file: then what can be read of it decides.
      if ((await stateOf(DEFAULT_WORLD)) !== before) await othersAreAsBefore()
    } finally {
      for (const id of worlds.ids()) if (id !== DEFAULT_WORLD && id !== spare) await worlds.remove(id)
    }
  }

  return {
    ...app,
    seen,
    tell,
    othersAreAsBefore,
    cases: () => cases,
    all: (those, runs, seed = SEED) =>
      fc.assert(fc.asyncProperty(those, tell), { seed, numRuns: runs, includeErrorInReport: true }),
  }
}

/** The first place where two files differ, in both. */
function differenceOf(one: string, other: string): string {
  const at = [...one].findIndex((letter, n) => letter !== other[n])
  return `${one.slice(Math.max(0, at - 100), at + 200)} | ${other.slice(Math.max(0, at - 100), at + 200)}`
}
