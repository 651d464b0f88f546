import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { realNow } from '../../db/clock.ts'
import { MAX_EVENTS } from '../../db/outbox.ts'
import { sqliteVersion } from '../../db/sqlite/library.ts'
import { MAX_OPEN_WORLDS, type Worlds } from '../../db/worlds.ts'
import { controlCall, controlConfig, viewable } from '../../domains/shared/control_schemas.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { MAX_BODY_BYTES } from '../../http/bodies.ts'
import type { Traffic } from '../../http/connections/traffic.ts'
import { JOURNAL_LIMITS } from '../../http/journal/journals.ts'
import { stateOf } from '../../http/request_state.ts'
import about from '../../package.json' with { type: 'json' }
import { MAX_RULES } from '../faults/schemas.ts'

export const config = controlConfig('Service', 'Health, metrics and backups of the server')

const SOURCES = ['flag', 'environment', 'file', 'default'] as const

/** A setting that the server was started with. Secrets are not part of it, only whether they are set. */
export interface StartSetting {
  name: string
  value: string | number | boolean | null
  source: (typeof SOURCES)[number]
}

/** How the program was started. */
export interface Startup {
  /** Version of Node. */
  node: string
  settings: readonly StartSetting[]
}

const Limit = (description: string) => Type.Integer({ description })

const Server = ResponseObject(
  {
    version: Type.String({ description: 'Version of the server', examples: ['0.1.0'] }),
    node: Type.String({ description: 'Version of Node', examples: ['24.21.0'] }),
    sqlite: Type.String({ description: 'Version of SQLite', examples: ['3.54.1'] }),
    started_at: Type.String({ description: 'Real time of the start', examples: ['2026-03-02T12:00:00.000Z'] }),
    uptime_s: Type.Integer({ description: 'Seconds of real time since the start' }),
    mode: OneOf(['temporary', 'kept', 'shared'], { description: 'Whether worlds exist after the server ends' }),
    data: Nullable(Type.String(), { description: 'The data folder; null if worlds are temporary' }),
    flags: Type.Array(
      ResponseObject(
        {
          name: Type.String({ description: 'Name of the setting', examples: ['port'] }),
          value: Type.Unsafe<StartSetting['value']>({
            type: ['string', 'number', 'boolean', 'null'],
            description: 'Its value, as on the command line; null: not set; `(set)` for a secret',
            'x-secret': 'url',
          }),
          source: OneOf([...SOURCES], { description: 'Where it comes from', examples: ['flag'] }),
        },
        { title: 'StartSetting', description: 'A setting' },
      ),
      { description: 'Settings of `mercadito start`; empty for a server that was started in another way' },
    ),
    limits: ResponseObject(
      {
        requests_in_flight: Limit('Requests in flight; further ones get 503'),
        body_bytes: Limit('Bytes of a body'),
        open_worlds: Limit('Worlds that stay open while nothing uses them'),
        journal_requests: Limit('Recorded requests of a world'),
        journal_world_bytes: Limit('Bytes of the recorded requests of a world'),
        journal_bytes: Limit('Bytes of all recorded requests'),
        events: Limit('Events and notifications of a world'),
        faults: Limit('Fault rules of a world'),
      },
      { description: 'What the server stores and accepts at most' },
    ),
  },
  { title: 'Server', description: 'The running server' },
)

interface Options {
  worlds: Worlds
  traffic: Traffic
  startup: Startup
}

const server: FastifyPluginAsyncTypebox<Options> = async (app, { worlds, traffic, startup }) => {
  const startedAt = realNow()
  let sqlite: string | undefined

  app.get(
    '/server',
    controlCall(viewable(config), { summary: 'Version, start, settings and limits of the server', answer: Server }),
    async () => {
      sqlite ??= sqliteVersion()
      return {
        version: about.version,
        node: startup.node,
        sqlite,
        started_at: utcMillis(startedAt),
        uptime_s: Math.floor((realNow() - startedAt) / 1000),
        mode: worlds.mode,
        data: worlds.mode === 'kept' ? worlds.folder : null,
        flags: [...startup.settings],
        limits: {
          requests_in_flight: traffic.maxInFlight,
          body_bytes: MAX_BODY_BYTES,
          open_worlds: MAX_OPEN_WORLDS,
          ...JOURNAL_LIMITS,
          events: MAX_EVENTS,
          faults: MAX_RULES,
        },
      }
    },
  )
}
export default server

const Caller = ResponseObject(
  {
    role: OneOf(['local', 'admin', 'viewer'], {
      description:
        'local: the server has no admin token, and every program of this machine may do everything; admin: may do everything; viewer: may read everything but secrets',
      examples: ['admin'],
    }),
  },
  { title: 'ControlCaller', description: 'Who makes control calls' },
)

/** Lets a client find out what it may do before it tries. */
export const whoami: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/whoami',
    controlCall(viewable(config), { summary: 'What the caller may do', answer: Caller }),
    async ({ raw }) => ({ role: stateOf(raw).role! }),
  )
}
