import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { redirectToConsole } from './control/console/index.ts'
import { DOCS_PATHS, docs } from './control/docs/index.ts'
import type { OnMiss } from './control/stubs/propose.ts'
import { readWorldValue } from './control/stubs/world_values.ts'
import snapshotsBeforeWrites from './control/worlds/snapshots_before_writes.ts'
import type { UndoCounter } from './control/worlds/undo_counter.ts'
import type { Worlds } from './db/worlds.ts'
import type { Domain, RouteOptions } from './domains/domain.ts'
import { DOMAINS, FALLBACK } from './domains/index.ts'
import { callerOfToken } from './domains/oauth/token_cache.ts'
import type { LazyServer, Parts } from './http/connections/parts.ts'
import { answerRepeated } from './http/connections/repeated_requests.ts'
import type { TrafficCounter } from './http/connections/traffic.ts'
import type { OnFault } from './http/errors/error_handler.ts'
import type { Journals } from './http/journal/journals.ts'
import type { Paths } from './http/paths.ts'
import { type ListedPlugin, registerAll, withOptions } from './http/plugin_list.ts'
import { createResponseCache, type ResponseCache } from './http/response_cache.ts'
import auth from './plugins/auth.ts'
import bodies from './plugins/bodies.ts'
import cors from './plugins/cors.ts'
import describe from './plugins/describe.ts'
import emptyParameters from './plugins/empty_parameters.ts'
import faults from './plugins/faults.ts'
import inertAnswers from './plugins/inert_answers.ts'
import journal from './plugins/journal.ts'
import jsonp from './plugins/jsonp.ts'
import partialAnswers from './plugins/partial_answers.ts'
import projection from './plugins/projection.ts'
import responseCache from './plugins/response_cache.ts'
import stubs, { type StubOptions } from './plugins/stubs.ts'
import { worldsByToken } from './plugins/worlds.ts'

// The emulated API: one server for each domain, so that a start registers no routes, and a program pays for the domains that it calls.

export interface ApiOptions {
  worlds: Worlds
  journals: Journals
  traffic: TrafficCounter
  server: Pick<FastifyInstance, 'paths' | 'requestIdOf'>
  undoCounter: UndoCounter
  onFault: OnFault
  /** Refused answers have the address of their explanation. */
  explain?: boolean | undefined
  /** Automatic snapshots before writes, of each world; default: 0, none are taken. */
  autoSnapshots?: number | undefined
  /** Path of a file in which calls are recorded. */
  record?: string | undefined
  /** Calls that nothing answers become proposed stubs, which are only collected, or answer. */
  miss?: { mode: 'ask' | 'propose'; onMiss: OnMiss } | undefined
  /** Changes the order of the plugins (tests). */
  arrangePlugins?: ((plugins: ListedPlugin[]) => ListedPlugin[]) | undefined
}

/** Makes a server that its first request opens; `next` gets what it has no route for. */
export type CreatePart = (register: (app: FastifyInstance) => void, next?: LazyServer) => LazyServer

/** Adds the servers of the emulated API: one for each domain, and one for its documents. */
export function addApi(parts: Parts, createPart: CreatePart, options: ApiOptions): void {
  const { worlds, journals, traffic, server, record, onFault } = options
  const cache = createResponseCache(journals)
  const repeats = { cache, worlds, journals, traffic, requestIdOf: server.requestIdOf, findCaller: callerOfToken }
  const add = (part: LazyServer, prefixes?: readonly string[]) =>
    // A recording has all requests.
    parts.addEmulated(record === undefined ? answerRepeated(part, repeats) : part, prefixes)
  const create = (routes: Domain['routes'], place: number, next?: LazyServer) =>
    createPart((app) => {
      registerAll(app, apiPlugins(options, { cache, place, isLast: !next }), options.arrangePlugins)
      app.register(apiRoutes, { routes, worlds, onFault })
    }, next)
  const rest = create(FALLBACK.routes, DOMAINS.length + 1)
  add(
    create(async () => ({ default: docs }), 1, rest),
    DOCS_PATHS,
  )
  for (const [n, domain] of DOMAINS.entries())
    if (domain !== FALLBACK) add(create(domain.routes, n + 2, rest), domain.paths)
  add(rest)
}

interface PartOptions {
  cache: ResponseCache
  /** Of the part among all. */
  place: number
  /** It answers what no other part has. */
  isLast: boolean
}

/** The plugins of each part of the emulated API. Their `dependencies` reject a wrong order when it opens. */
const apiPlugins = (
  {
    worlds,
    journals,
    traffic,
    server,
    undoCounter,
    explain = false,
    autoSnapshots: max = 0,
    miss,
    onFault,
  }: ApiOptions,
  { cache, place, isLast }: PartOptions,
): ListedPlugin[] => [
  withOptions(cors, {}),
  withOptions(worldsByToken, { worlds }),
  withOptions(auth, { findCaller: callerOfToken }),
  withOptions(faults, { worlds, journals, findCaller: callerOfToken, traffic }),
  withOptions(responseCache, { cache }),
  withOptions(partialAnswers, {}),
  withOptions(projection, {}),
  withOptions(journal, { journals, explain }),
  withOptions(jsonp, {}),
  withOptions(snapshotsBeforeWrites, { worlds, undoCounter, max, onFault }),
  withOptions(bodies, {}),
  withOptions(stubs, { ...stubOptions(server.paths, miss), findCaller: callerOfToken, readWorldValue }),
  withOptions(inertAnswers, {}),
  withOptions(emptyParameters, {}),
  withOptions(describe, { paths: server.paths, place, isLast, sendPage: redirectToConsole }),
]

/** Lazy: most servers propose nothing. */
const stubOptions = (paths: Paths, miss: ApiOptions['miss']): Pick<StubOptions, 'propose' | 'isProposing'> => ({
  propose:
    miss && (async (...call) => (await import('./control/stubs/propose.ts')).proposeStub(paths, miss.onMiss, ...call)),
  isProposing: miss?.mode === 'propose',
})

/** The routes depend on every plugin: most of them act on routes that are registered after them. */
const apiRoutes = fp<RouteOptions & Pick<Domain, 'routes'>>(
  async (api, { routes, ...options }) => {
    api.register((await routes()).default, options)
  },
  {
    name: 'routes',
    encapsulate: true,
    dependencies: [
      'traffic',
      'cors',
      'worlds',
      'auth',
      'faults',
      'response cache',
      'partial answers',
      'projection',
      'journal',
      'jsonp',
      'snapshots before writes',
      'bodies',
      'stubs',
      'inert answers',
      'empty parameters',
      'describe',
    ],
  },
)
