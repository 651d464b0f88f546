import { readdirSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Arbitrary } from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { DEFAULT_WORLD } from '../../db/worlds.ts'
import { parseJson } from '../../http/bodies.ts'
import { start, type TestApp } from '../support/app.ts'
import { type Operation, operations } from '../support/openapi.ts'
import fc, { SEED } from '../support/property.ts'
import type { Owner } from '../support/torture.ts'
import { countWrites } from '../support/writes.ts'
import { type Call, type CheckedAnswer, checkAnswer } from './answers.ts'
import { check, describe } from './checks.ts'
import { checkControlAnswer, checkDates, checkMessage, type RouteSchemas } from './control_answers.ts'
import { control } from './control_calls.ts'
import { type Script, SETUP, SUBSCRIPTION } from './control_scripts.ts'
import { EMULATED_VALUES, tokenOf, USERS, withKnown } from './control_values.ts'

export interface ControlRunner extends TestApp {
  /** Runs scripts, each in its own world; a failure reports the seed and the smallest failing script. */
  runAll(stories: Arbitrary<Script>, runs: number, seed?: number): Promise<void>
  runScript(story: Script): Promise<void>
  /** Throws if anything that can be read of the default world, which no script calls, has changed. */
  expectOthersUnchanged(): Promise<void>
  /** Calls checked so far. */
  cases(): number
  /** The number of answers per operation of both documents and status. */
  statuses: Map<Operation, Map<number, number>>
}

const NOW = '2026-03-07T15:00:00Z'

/** Reads that together show a whole world. */
const READS = control.operations.filter(
  ({ method, path }) =>
    method === 'GET' &&
    !/\{|\/(worlds|overview|requests|control-calls|audit|run|recording|server|openapi\.json)$/.test(path),
)

/** Starts an app whose default world no script calls. */
export async function createControlRunner(t: Owner): Promise<ControlRunner> {
  const schemas: RouteSchemas = new Map()
  const app = await start(t, {
    scenario: 'empty',
    autoSnapshots: 2,
    beforePlugins: (app) =>
      void app.addHook('onRoute', ({ method, url, schema: { body, querystring, params } = {} }) => {
        schemas.set(`${method} ${url.replace(/:(\w+)/g, '{$1}')}`, { body, querystring, params } as never)
      }),
  })
  const { server, worlds, faults, control: callControl } = app
  const statuses = new Map([...control.operations, ...operations].map((one) => [one, new Map<number, number>()]))
  let cases = 0
  let thisWorld = 0
  let otherWorld = 0
  let spareWorld = 0
  let lastMessage = ''
  let isSubscribed = false

  const createWorld = async (body: object): Promise<number> => (await callControl('POST /worlds', body)).body.world.id

  async function inject(call: Call): Promise<LightMyRequestResponse> {
    // Injected calls resolve as microtasks only; without this, timers would not run until the last call.
    if (++cases % 100 === 0) await setImmediate()
    const answer = await server.inject(call as never)
    const [fault] = faults.splice(0)
    if (fault) throw new Error(`a fault: ${fault.message.slice(0, 500)}`, { cause: fault })
    return answer
  }

  /** Waits for deliveries, because they change a world on their own. */
  const settle = async () => {
    if (isSubscribed && worlds.has(thisWorld)) await callControl('POST /settle', undefined, `/w/${thisWorld}`)
  }

  function count({ operation, outcome: { status } }: CheckedAnswer): void {
    const counts = operation && statuses.get(operation)
    counts?.set(status, (counts.get(status) ?? 0) + 1)
  }

  /** Some world of a script may expire at any time. */
  let hasExpiry = false
  /** The files of worlds that do not expire. */
  function listFiles(): string[] {
    const files = readdirSync(worlds.folder).filter((name) => /^world-.*\.sqlite$/.test(name))
    if (!hasExpiry) return files
    const expiring = worlds.describe(worlds.ids()).filter(({ expiresAt }) => expiresAt !== null)
    return files.filter((name) => !expiring.some(({ id }) => new RegExp(`^world-${id}\\D`).test(name)))
  }

  /** Changes with every commit, clock setting, fault rule and stub of a world; undefined without a world. */
  async function stateOf(id: number): Promise<string | undefined> {
    const world = await worlds.acquire(id)
    if (!world) return undefined
    const { mode, now } = world.clock
    const state = JSON.stringify([
      await countWrites(world),
      mode,
      mode === 'frozen' && now(),
      world.faults,
      world.stubs,
    ])
    worlds.release(world)
    return state
  }
  /** Also changes when a world is created, deleted or replaced. */
  async function stateOfAll(): Promise<string> {
    const [world] = worlds.has(thisWorld) ? worlds.describe([thisWorld]) : []
    return `${world?.expiresAt === null ? await stateOf(thisWorld) : ''} ${listFiles()}`
  }

  /** Everything that can be read of a world. */
  async function readAllOf(id: number): Promise<string[]> {
    const texts: string[] = []
    for (const { path } of READS) {
      const limit = path.endsWith('/world') ? '' : '?limit=1000'
      texts.push((await server.inject({ url: `/w/${id}${path}${limit}` })).payload)
    }
    return texts
  }

  const initialState = await readAllOf(DEFAULT_WORLD)
  async function expectOthersUnchanged(): Promise<void> {
    check(isDeepStrictEqual(await readAllOf(DEFAULT_WORLD), initialState), 'a world that no call was about has changed')
  }

  /** Sends a control call and checks its answer and effects; returns the state after it. */
  async function sendAndCheck(call: Call, before: string, isChecked = false): Promise<string> {
    // A running clock differs in every read.
    const readBefore = isChecked && before.includes('"frozen"') ? await readAllOf(thisWorld) : undefined
    // An export checkpoints the log into the database file.
    const state = readBefore ? await stateOfAll() : before
    // A call may delete the world of its own address.
    const existing = new Set(worlds.ids())
    const answer = await inject(call)
    // After 202 the clock goes on moving.
    isSubscribed ||=
      answer.statusCode === 202 ||
      (call.method === 'PUT' && /\/(notifications|clock|world)(\?|\/?$)/.test(call.url) && answer.statusCode < 300)
    hasExpiry ||= /\/worlds/.test(call.url) && /expires_in/.test(String(call.payload)) && answer.statusCode < 300
    await settle()
    const checked = checkControlAnswer(call, answer, (id) => existing.has(id))
    checkMessage(checked, call, schemas)
    count(checked)
    const { operation, outcome } = checked
    const after = await stateOfAll()
    const { cause } = (outcome.body ?? {}) as { cause?: { imported?: number }[] }
    const isRead = call.method === 'GET' || call.method === 'HEAD'
    const canChange = outcome.status < 300 ? !isRead : (cause?.[0]?.imported ?? 0) > 0
    check(
      canChange || after === state || (isRead && operation?.path === '/_sandbox/world'),
      () => `changes ${state} to ${after}, and answers ${describe(outcome)}`,
    )
    if (readBefore && !canChange)
      check(isDeepStrictEqual(await readAllOf(thisWorld), readBefore), 'a rejected call changed what can be read')
    if (operation && canChange && outcome.status < 300) await checkReadback(call, operation, outcome)
    return readBefore ? stateOfAll() : after
  }

  /** Checks that a created or changed entity reads as answered, and that a deleted one is gone. */
  async function checkReadback(
    { url, headers: { host }, payload }: Call,
    { method, path }: Operation,
    { status, body: answered }: CheckedAnswer['outcome'],
  ) {
    // A purchase answers its order with what belongs to it.
    const isPurchase = method === 'POST' && path === '/_sandbox/orders'
    const body = isPurchase ? (answered as { order?: unknown } | undefined)?.order : answered
    const isCreated = method === 'POST' && status === 201
    if (!isCreated && method !== 'PATCH' && method !== 'DELETE') return
    // It answers the element of the list; reading a world answers its connection data.
    if (method === 'PATCH' && path === '/_sandbox/worlds/{id}') return
    const { id, name, world } = (body ?? {}) as { id?: unknown; name?: string; world?: { id: number } }
    if (world) otherWorld = world.id
    if (isCreated && path === '/_sandbox/messages') lastMessage = String(id)
    const { id: givenId } = (isCreated && (parseJson(String(payload)).value as { id?: unknown } | null)) || {}
    const same = String(givenId).toLowerCase() === String(id).toLowerCase()
    check(givenId === undefined || same, `answers id ${id} where ${givenId} was given`)
    const [place] = url.split('?') as [string]
    const entityUrl = isCreated ? `${place.replace(/\/$/, '')}/${world?.id ?? id ?? name}` : place
    const [segment] = /\{\w+\}$/.exec(path) ?? []
    if (!isCreated && !segment) return
    const isRead = control.operations.some(
      (other) =>
        other.method === 'GET' &&
        other.path.replace(/\{\w+\}$/, '') === (isCreated ? `${path}/` : path.replace(/\{\w+\}$/, '')) &&
        other.path.endsWith('}'),
    )
    if (!isRead) return
    const read = await inject({ method: 'GET', url: entityUrl, headers: host === undefined ? {} : { host } })
    if (status === 204)
      return check(read.statusCode === 404, `was deleted, and reads ${read.statusCode} ${read.payload}`)
    check(
      isDeepStrictEqual(JSON.parse(read.payload), body),
      () => `answers ${JSON.stringify(body)} and reads ${read.payload}`,
    )
  }

  /** Adds the call to the message of an error. */
  async function withCallInError<T>(call: Call, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const { method, url, headers, payload = '' } = call
      const text = `${method} ${url} ${JSON.stringify(headers)} ${String(payload).slice(0, 1000)}`
      throw new Error(`${text}: ${(error as Error).message}`, { cause: error })
    }
  }

  async function runCalls({ scenario, calls, after, closely: isChecked }: Script): Promise<void> {
    thisWorld = await createWorld({ scenario, now: NOW })
    otherWorld = spareWorld
    let state = await stateOfAll()
    const callAndCheck = (call: Call, isChecked?: boolean) =>
      withCallInError(call, async () => {
        state = await sendAndCheck(call, state, isChecked)
      })
    const post = (path: string, body: object): Call => ({
      method: 'POST',
      url: `/w/${thisWorld}/_sandbox${path}`,
      headers: {},
      payload: JSON.stringify(body),
    })
    for (const [path, body] of SETUP) await callAndCheck(post(path, body))
    await callAndCheck({ ...post('/run', {}), method: 'PUT' })
    // The first request of the journal.
    await inject({ method: 'GET', url: `/w/${thisWorld}/currencies`, headers: {} })
    const headers = { 'x-sandbox-snapshot': 'setup' }
    await callAndCheck({ ...post('/clock/advance', { by: 0 }), headers })
    isSubscribed = isChecked % 4 === 1
    if (isSubscribed)
      for (const [method, path, body] of SUBSCRIPTION) await callAndCheck({ ...post(path, body), method })
    for (const [n, call] of calls.entries()) {
      await callAndCheck(
        withKnown(call, { thisWorld, otherWorld, lastMessage }),
        scenario === 'empty' && n === isChecked,
      )
    }
    if (!worlds.has(thisWorld)) return
    // The emulated API must work after any control calls.
    for (const path of ['/faults', '/stubs']) await callAndCheck({ ...post(path, {}), method: 'DELETE' })
    for (const user of USERS) await callAndCheck(post('/tokens', { user_id: user, token: tokenOf(user) }))
    for (const text of after) {
      const call = withKnown(text, { thisWorld, otherWorld, lastMessage })
      if (call.url.startsWith(`/w/${thisWorld}/_sandbox`)) await callAndCheck(call)
      else {
        await withCallInError(call, async () => {
          const answer = await inject(call)
          await settle()
          checkDates(answer.payload)
          count(checkAnswer(call, answer, { worldId: thisWorld, secrets: EMULATED_VALUES.secrets }))
        })
        state = await stateOfAll()
      }
    }
    // A demo world exports slowly, and a running clock differs in every file.
    if (scenario === 'empty' && isChecked % 4 < 2 && state.includes('"frozen"')) await checkExport()
  }

  /** Exports the world and loads it again, which must give the same file. */
  async function checkExport(): Promise<void> {
    const world = `/w/${thisWorld}/_sandbox/world`
    const { payload: file } = await inject({ method: 'GET', url: world, headers: {} })
    const call = { method: 'PUT', url: world, headers: {}, payload: file }
    await withCallInError(call, async () => {
      const loaded = await inject(call)
      check(loaded.statusCode === 200, `rejects its own export: ${loaded.payload.slice(0, 500)}`)
      const { payload: exported } = await inject({ method: 'GET', url: world, headers: {} })
      check(exported === file, `the export changed: ${firstDifference(file, exported)}`)
    })
  }

  async function runScript(story: Script): Promise<void> {
    // A script may have deleted it by its number.
    if (!worlds.has(spareWorld)) spareWorld = await createWorld({ scenario: 'empty', now: NOW })
    const before = await stateOf(DEFAULT_WORLD)
    try {
      await runCalls(story)
      // A fork of it checkpoints its log, so compare its content.
      if ((await stateOf(DEFAULT_WORLD)) !== before) await expectOthersUnchanged()
    } finally {
      for (const id of worlds.ids()) if (id !== DEFAULT_WORLD && id !== spareWorld) await worlds.remove(id)
    }
  }

  return {
    ...app,
    statuses,
    runScript,
    expectOthersUnchanged,
    cases: () => cases,
    runAll: (scripts, runs, seed = SEED) =>
      fc.assert(fc.asyncProperty(scripts, runScript), {
        seed,
        numRuns: runs,
        // To find the smallest failing script would take hours where scripts are long.
        endOnFailure: seed !== SEED || process.env.CI !== undefined,
      }),
  }
}

/** The first difference of two files, in both. */
function firstDifference(one: string, other: string): string {
  const at = [...one].findIndex((character, n) => character !== other[n])
  return `${one.slice(Math.max(0, at - 100), at + 200)} | ${other.slice(Math.max(0, at - 100), at + 200)}`
}
