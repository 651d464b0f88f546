import { tmpdir } from 'node:os'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Test } from 'tap'
import { build, type Options } from '../../app.ts'
import { readWorldInfo } from '../../control/worlds/world_info.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import type { World } from '../../db/world.ts'
import { DEFAULT_WORLD, type Worlds } from '../../db/worlds.ts'
import { checkResponses } from './response_schemas.ts'

/** A Saturday in the sample week: what the frozen clock of tests shows unless they say otherwise. */
export const NOW = Date.UTC(2026, 2, 7, 15)

export interface Answer {
  status: number
  /** The parsed JSON; undefined where the body is none. Untyped: tests compare it whole. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  body: any
  text: string
  headers: Record<string, string | string[] | number | undefined>
}

export interface Person {
  id: number
  site_id: string
  nickname: string
  token: string
  get(url: string, options?: InjectOptions): Promise<Answer>
  post(url: string, body?: unknown, options?: InjectOptions): Promise<Answer>
  delete(url: string, options?: InjectOptions): Promise<Answer>
}

export interface TestApp {
  server: FastifyInstance
  /** The default world as it stood at the start. */
  world: World
  worlds: Worlds
  /** `sellers[0]` and `buyers[0]`, `buyers[1]` are of MLA; then MLB and so on. */
  sellers: Person[]
  buyers: Person[]
  application: { id: number; secret: string; redirect_uri: string }
  /** A call without a token. */
  call(options: InjectOptions | string): Promise<Answer>
  /** A control call, `POST /worlds` with its body, of the default world or the one at `base`, such as `/w/2`. */
  control(call: string, body?: unknown, base?: string): Promise<Answer>
  /** Faults that clients were not told of; must stay empty. */
  faults: Error[]
}

/** One app for a test file: a temporary world with the clock frozen at NOW, closed when the file is done. */
export async function start(t: Test, { beforePlugins, ...options }: Partial<Options> = {}): Promise<TestApp> {
  const faults: Error[] = []
  const { server, worlds } = await build({
    folder: createTemporaryFolder(tmpdir()),
    mode: 'temporary',
    scenario: 'demo',
    seed: 1,
    now: NOW,
    secret: false,
    onFault: (error) => faults.push(error),
    beforePlugins(app) {
      checkResponses(app)
      beforePlugins?.(app)
    },
    ...options,
  })
  t.teardown(() => server.close())

  const call = async (asked: InjectOptions | string): Promise<Answer> => {
    const { statusCode, headers, payload } = await server.inject(asked)
    const isJson = String(headers['content-type']).startsWith('application/json')
    return {
      status: statusCode,
      headers,
      text: payload,
      body: isJson && payload !== '' ? JSON.parse(payload) : undefined,
    }
  }
  const person = (known: { id: number; site_id: string; nickname: string; token: string }): Person => {
    const as = (asked: InjectOptions) =>
      call({ ...asked, headers: { authorization: `Bearer ${known.token}`, ...asked.headers } })
    return {
      ...known,
      get: (url, more) => as({ method: 'GET', url, ...more }),
      delete: (url, more) => as({ method: 'DELETE', url, ...more }),
      post: (url, body, more) =>
        as({ method: 'POST', url, payload: typeof body === 'string' ? body : JSON.stringify(body), ...more }),
    }
  }
  // Held as long as the test runs: tests look into it between calls.
  const world = (await worlds.acquire(DEFAULT_WORLD))!
  const told = await readWorldInfo('', world, worlds)
  return {
    server,
    world,
    worlds,
    sellers: told.sellers.map(person),
    buyers: told.buyers.map(person),
    application: told.application,
    call,
    control(asked, body, base = '') {
      const [method, path] = asked.split(' ') as ['POST', string]
      const payload = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
      return call({ method, url: `${base}/_sandbox${path}`, ...(payload !== undefined && { payload }) })
    },
    faults,
  }
}
