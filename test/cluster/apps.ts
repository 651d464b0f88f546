import { tmpdir } from 'node:os'
import type { InjectOptions } from 'fastify'
import { type App, build, type Options } from '../../app.ts'
import { shareWorlds } from '../../cluster/index.ts'
import { createTemporaryFolder } from '../../db/folders.ts'
import { DEFAULT_WORLD } from '../../db/worlds.ts'
import { type Credentials, readCredentials } from '../../domains/oauth/operations.ts'

/** Long enough for a busy machine. */
export const LEASE_MS = 20_000

export interface Answer {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  body: any
  headers: Record<string, unknown>
}

/** A server of these tests, in this process, that shares the worlds of a database. */
export interface SharingApp extends App, Credentials {
  call(options: InjectOptions): Promise<Answer>
  /** A control call such as `POST /worlds` with its body; `base`: of the world, such as `/w/2`. */
  control(call: string, body?: object, base?: string): Promise<Answer>
  /** What was reported as a defect. */
  faults: Error[]
  close(): Promise<void>
}

export async function startApp(databaseUrl: string, options: Partial<Options> = {}): Promise<SharingApp> {
  const faults: Error[] = []
  const app = await build({
    folder: createTemporaryFolder(tmpdir()),
    mode: 'temporary',
    sharing: shareWorlds({ url: databaseUrl, leaseMs: LEASE_MS, advertise: null }),
    scenario: 'demo',
    seed: 1,
    now: Date.UTC(2026, 2, 7, 15),
    secret: false,
    onFault: (error) => faults.push(error),
    ...options,
  })
  const call = async (request: InjectOptions): Promise<Answer> => {
    const { statusCode, headers, payload } = await app.server.inject(request)
    return { status: statusCode, headers, body: payload === '' ? undefined : JSON.parse(payload) }
  }
  return {
    ...app,
    ...(await app.worlds.read(DEFAULT_WORLD, readCredentials)),
    call,
    control(request, body, base = '') {
      const [method, path] = request.split(' ') as ['POST', string]
      return call({ method, url: `${base}/_sandbox${path}`, ...(body && { payload: body }) })
    },
    faults,
    close: () => app.server.close(),
  }
}
