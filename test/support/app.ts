import type { FastifyInstance, InjectOptions } from 'fastify'
import { type App, build, type Options } from '../../app.ts'
import { readWorldInfo } from '../../control/worlds/world_info.ts'
import type { World } from '../../db/world.ts'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import { sharedFolder } from '../../lib/shared_folder.ts'
import './environment.ts'
import { checkResponses } from './response_schemas.ts'
import type { Owner } from './torture.ts'
import { checkViolations } from './violations.ts'

/** The frozen time of tests unless they set another: a Saturday in the sample week. */
export const NOW = Date.UTC(2026, 2, 7, 15)
export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR
export const iso = (ms: number): string => new Date(ms).toISOString()
/** The frozen time of other worlds: a Monday. */
export const NOON = '2026-03-02T12:00:00.000Z'
/** A listing of the first seller. */
export const ITEM = 'MLA1400000001'

export interface Answer {
  status: number
  /** The parsed JSON, or undefined without a body. Untyped because tests compare it whole. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  body: any
  text: string
  headers: Record<string, string | string[] | number | undefined>
}

interface Account {
  id: number
  site_id: string
  nickname: string
  token: string
}

export interface Person extends Account {
  get(url: string, options?: InjectOptions): Promise<Answer>
  post(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
  delete(url: string, options?: InjectOptions): Promise<Answer>
}

interface People {
  sellers: Account[]
  buyers: Account[]
}

/** The default world of a server, or another one. */
export interface AnyWorld {
  /** `sellers[0]`, `buyers[0]` and `buyers[1]` belong to MLA, the next ones to MLB and so on. */
  sellers: Person[]
  buyers: Person[]
  /** The first of each. */
  seller: Person
  buyer: Person
  application: { id: number; secret: string; redirect_uri: string }
  /** A call without a token. */
  call(options: InjectOptions | string): Promise<Answer>
  /** A control call such as `POST /snapshots` with its body. */
  control(call: string, body?: unknown): Promise<Answer>
  /** Creates a world at this address, by default the demo at noon; it is deleted when the test ends, if one is given. */
  createWorld(settings?: object, test?: Owner): Promise<TestWorld>
}

export interface TestWorld extends AnyWorld {
  id: number
  /** The path of its address, such as `/w/2`, which its calls have. */
  base: string
  control(call: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
}

export interface TestApp extends AnyWorld {
  server: FastifyInstance
  openApi: App['openApi']
  openControlPlane: App['openControlPlane']
  listenOn: App['listenOn']
  /** The default world as opened at the start. */
  world: World
  worlds: Worlds
  /** Of the default world, or of the one at `base`. */
  control(call: string, body?: unknown, base?: string): Promise<Answer>
  /** The world of an earlier server with the same folder, with calls to this server. */
  worldOf(world: Pick<TestWorld, 'id' | 'application'> & People): TestWorld
  /** Unexpected errors. A test takes those that it means; others fail its file in the end. */
  faults: Error[]
}

/** One member of each element of a list, or several as rows. */
export const valuesOf = (list: Answer['body'], ...names: string[]): Answer['body'] =>
  list.map((one: Record<string, unknown>) => (names.length === 1 ? one[names[0]!] : names.map((name) => one[name])))

export const errorBody = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
export const badRequest = (message: string) => errorBody(400, 'bad_request', message)
export const notFound = (message: string) => errorBody(404, 'not_found', message)

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** A user who calls with their token. */
export function createPerson(account: Account, call: TestApp['call']): Person {
  const as = (request: InjectOptions) => call({ ...request, headers: { ...bearer(account.token), ...request.headers } })
  return {
    ...account,
    get: (url, more) => as({ method: 'GET', url, ...more }),
    delete: (url, more) => as({ method: 'DELETE', url, ...more }),
    post: (url, body, more) =>
      as({ method: 'POST', url, payload: typeof body === 'string' ? body : JSON.stringify(body), ...more }),
  }
}

/** Not with files, logs or recordings of its own. */
const isShareable = ({ folder, storage, record, mode }: Partial<Options>) => !folder && !storage && !record && !mode

/** One server; or several that share their worlds, of which each call reaches one at random (`npm run test:two-servers`). */
async function startServers(settings: Omit<Options, 'folder' | 'mode'> & Partial<Options>) {
  const { MERCADITO_TEST_DATABASE: databaseUrl } = process.env
  if (databaseUrl !== undefined && isShareable(settings)) {
    const { startCluster } = await import('./cluster.ts')
    const { first, worlds, send, close } = await startCluster(databaseUrl, settings)
    return { ...first, worlds, send, close }
  }
  const { folder, templates } = sharedFolder()
  const app = await build({ folder: settings.folder ?? folder(), templates, mode: 'temporary', ...settings })
  const { server } = app
  return { ...app, send: (request: InjectOptions) => server.inject(request), close: () => server.close() }
}

/** Starts an app for a test file: a temporary world with the clock frozen at NOW. Closed after the tests. */
export async function start(t: Owner, { beforePlugins, ...options }: Partial<Options> = {}): Promise<TestApp> {
  const faults: Error[] = []
  const settings = {
    scenario: 'demo' as const,
    seed: 1,
    now: NOW,
    secret: false,
    onFault: (error: Error) => faults.push(error),
    beforePlugins(app: FastifyInstance) {
      checkResponses(app)
      checkViolations(app)
      beforePlugins?.(app)
    },
    ...options,
  }
  const { server, openApi, openControlPlane, worlds, listenOn, send, close } = await startServers(settings)
  t.teardown(async () => {
    await close()
    if (faults.length > 0)
      throw new AggregateError(faults, `unexpected errors: ${faults.map(({ message }) => message)}`)
  })

  const call = async (request: InjectOptions | string): Promise<Answer> => {
    const { statusCode, headers, payload } = await send(typeof request === 'string' ? { url: request } : request)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return {
      status: statusCode,
      headers,
      text: payload,
      body: isJson && payload !== '' ? JSON.parse(payload) : undefined,
    }
  }
  const person = (account: Account) => createPerson(account, call)
  const control = (base: string, request: string, body: unknown, headers = {}) => {
    const [method, path] = request.split(' ') as ['POST', string]
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    return call({ method, url: `${base}/_sandbox${path}`, headers, ...(payload !== undefined && { payload }) })
  }
  const peopleOf = (info: People) => {
    const [sellers, buyers] = [info.sellers.map(person), info.buyers.map(person)]
    return { sellers, buyers, seller: sellers[0]!, buyer: buyers[0]! }
  }
  const createWorldAt = async (
    parent: string,
    settings: object = { scenario: 'demo', now: NOON },
    test?: Owner,
  ): Promise<TestWorld> => {
    const { status, text, body } = await control(parent, 'POST /worlds', settings)
    if (status !== 201) throw new Error(text)
    const { id } = body.world
    test?.teardown(() => control('', `DELETE /worlds/${id}`, undefined))
    return worldOf({ ...body, id })
  }
  const worldOf: TestApp['worldOf'] = ({ id, application, ...people }) => {
    const base = `/w/${id}`
    return {
      id,
      base,
      application,
      ...peopleOf(people),
      call: (request) =>
        call(typeof request === 'string' ? base + request : { ...request, url: `${base}${request.url}` }),
      control: (request, body, headers) => control(base, request, body, headers),
      createWorld: (...made) => createWorldAt(base, ...made),
    }
  }
  // Acquired during the test, so that tests can read it between calls.
  const world = (await worlds.acquire(DEFAULT_WORLD))!
  const info = await readWorldInfo('', world, worlds)
  return {
    server,
    openApi,
    openControlPlane,
    listenOn,
    world,
    worlds,
    ...peopleOf(info),
    application: info.application,
    call,
    control: (request, body, base = '') => control(base, request, body),
    createWorld: (...made) => createWorldAt('', ...made),
    worldOf,
    faults,
  }
}
