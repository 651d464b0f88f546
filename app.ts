import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import docs from './control/docs/page.ts'
import controlPlane from './control/index.ts'
import { populateFromPath } from './control/world_file/import.ts'
import type { Folder } from './db/folders.ts'
import { DEFAULT_WORLD, openWorlds, type Populate, type StorageOptions, type Worlds } from './db/worlds.ts'
import { DOMAINS, SUBSCRIBERS } from './domains/index.ts'
import { openDispatcher } from './domains/notifications/delivery/dispatcher.ts'
import { openFeed } from './domains/notifications/feed/feed.ts'
import {
  createStartupSubscription,
  type StartupSubscription,
} from './domains/notifications/settings/startup_subscription.ts'
import { callerOfToken } from './domains/oauth/token_cache.ts'
import { createErrorHandler, handleClientError, type OnFault, standardError, toApiError } from './http/errors.ts'
import { openJournals } from './http/journals.ts'
import { createPaths } from './http/paths.ts'
import { rewriteUrl } from './http/rewrite_url.ts'
import { serializerCompiler, validatorCompiler } from './http/validation.ts'
import auth from './plugins/auth.ts'
import bodies, { MAX_BODY_BYTES } from './plugins/bodies.ts'
import cors from './plugins/cors.ts'
import describe from './plugins/describe.ts'
import faults from './plugins/faults.ts'
import journal from './plugins/journal.ts'
import jsonp, { wrapInScript } from './plugins/jsonp.ts'
import projection from './plugins/projection.ts'
import finished from './plugins/response_cache.ts'
import trafficPlugin, { type Limits, type OnRequestEnd, openTraffic } from './plugins/traffic.ts'
import worldsPlugin from './plugins/worlds.ts'
import { populate, type Start } from './scenarios/index.ts'
import { openTemplates, type Templates } from './scenarios/templates.ts'

export interface Options extends Start {
  folder: Folder
  mode: Worlds['mode']
  /** Path of a world file that a new default world is laid out from, instead of the scenario. */
  load?: string | undefined
  /** What control calls must bear; without one they must come from this machine. */
  adminToken?: string | undefined
  /** Others than this machine can reach the server: Host says nothing about who calls. */
  isExposed?: boolean
  /** Where notifications may go besides, as `readListed` takes it. */
  allowlist?: string[]
  /** Those that several servers of a process share; whoever made them closes them. */
  templates?: Templates | undefined
  /** Told of every fault that is not a refusal. */
  onFault: OnFault
  /** Told of every request that is over. */
  onRequestEnd?: OnRequestEnd | undefined
  limits?: Limits
  /** How commits become durable; by default as `mode` needs it. */
  storage?: StorageOptions | undefined
  /** PEM; it speaks https then. */
  tls?: { key: string; cert: string } | undefined
  /** Told what whoever runs the server should know. */
  onNotice?: (text: string) => void
  /** Runs before the plugins, for what must see every route (the OpenAPI generator). */
  beforePlugins?: (app: FastifyInstance) => void
}

export interface App {
  server: FastifyInstance
  worlds: Worlds
  /** Has the default world's first application told from now on, also after a reset. */
  notify(subscription: StartupSubscription): Promise<void>
}

/** Connections at a time; what comes beyond is closed. */
const MAX_CONNECTIONS = 10_000

/** Ms, unless named otherwise. */
const SERVER_LIMITS = {
  /**
   * Between two requests of a connection: longer than the 60 s of common balancers, which would use one that just
   * closed.
   */
  keepAliveTimeout: 72_000,
  /**
   * A whole request has no limit of its own: imports may take as long as they go on. What stalls is cut by
   * plugins/traffic.ts.
   */
  requestTimeout: 0,
  http: {
    /** Bytes. */
    maxHeaderSize: 16_384,
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5000,
  },
}

/** Puts the server together; the caller listens, or injects, and closes `server`. */
export async function build({
  folder,
  mode,
  load,
  adminToken,
  isExposed = false,
  allowlist = [],
  templates: sharedTemplates,
  onFault,
  onRequestEnd,
  limits = {},
  storage,
  tls,
  onNotice = () => {},
  beforePlugins,
  ...start
}: Options): Promise<App> {
  const defaults = { switches: start.switches ?? {}, secret: start.secret }
  // It does not listen yet: its own address is known to the attempts.
  const populateDefault: Populate = load
    ? populateFromPath(load, { ...defaults, networkPolicy: { isExposed: isExposed, allowlist: allowlist } })
    : (file, id) => populate(file, id, start, sharedTemplates && { templates: sharedTemplates })
  const worlds = await openWorlds(folder, mode, populateDefault, {
    start: load !== undefined,
    subscribers: SUBSCRIBERS,
    storage,
  })
  // Where the default world is damaged nothing else begins.
  worlds.release((await worlds.acquire(DEFAULT_WORLD))!)
  const server = Fastify({
    ...SERVER_LIMITS,
    ...(tls && { https: { ...SERVER_LIMITS.http, handshakeTimeout: 10_000, key: tls.key, cert: tls.cert } }),
    bodyLimit: MAX_BODY_BYTES,
    rewriteUrl,
    // Longer ones are answered by the resource's own 404, not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 * 1024 },
    return503OnClosing: false,
    clientErrorHandler: handleClientError,
    frameworkErrors(error, request, reply) {
      const failure = toApiError(error, onFault)
      const body = JSON.stringify(standardError(failure))
      const answer = reply as FastifyReply
      answer.code(failure.statusCode).header('content-type', 'application/json; charset=utf-8')
      const { callback, isControl } = request.raw
      if (!isControl) answer.header('access-control-allow-origin', '*')
      answer.send(callback === undefined ? body : wrapInScript(callback, answer, body))
    },
  })
  server.server.maxConnections = MAX_CONNECTIONS
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(createErrorHandler(onFault))
  const templates = sharedTemplates ?? openTemplates(folder.path)
  const networkPolicy = {
    isExposed,
    allowlist,
    listenAddresses: () => server.addresses().filter((at) => typeof at === 'object'),
  }
  const feed = openFeed(worlds, onFault)
  const dispatcher = openDispatcher({
    worlds,
    networkPolicy,
    onFault,
    onAttempt: feed.notifyAttempt,
    onSwitchedOff: ({ id }, { application_id, topic, missed }) =>
      onNotice(
        `world ${id}: application ${application_id} is told no more of ${topic}: ${missed} notifications in a row were missed; set its notifications again to go on`,
      ),
  })
  worlds.onOpen(feed.watch)
  const startupSubscription = createStartupSubscription(onFault)
  worlds.onOpen((world) => {
    // Before anybody calls: what happens first in the new state is told too.
    if (world.id === DEFAULT_WORLD) startupSubscription.reapply(world)
    dispatcher.watch(world)
  })
  // What a kept world has still to tell does not wait until somebody calls it.
  if (mode === 'kept') dispatcher.resume(worlds.ids()).catch(onFault)
  // What is under way to receivers ends while the last requests do.
  let drained: Promise<void> | undefined
  server.addHook('preClose', (done) => {
    drained = dispatcher.close()
    done()
  })
  server.addHook('onClose', async () => {
    if (!sharedTemplates) templates.close()
    await drained
    worlds.close()
  })

  const journals = openJournals()
  const traffic = openTraffic(limits, onRequestEnd)

  beforePlugins?.(server)
  server.register(trafficPlugin, { traffic })
  server.register(async (api) => {
    api.register(cors)
    api.register(worldsPlugin, { worlds, by: 'token' })
    api.register(finished)
    api.register(faults, { worlds, journals, findCaller: callerOfToken, traffic })
    api.register(projection)
    // Before the wrapping: its hook sees what a script bears.
    api.register(journal, { journals })
    api.register(jsonp)
    api.register(auth, { callerOf: callerOfToken })
    api.register(bodies)
    api.register(describe, { paths: createPaths() })
    api.register(docs)
    for (const { routes } of DOMAINS) api.register(routes, { worlds, onFault })
  })
  server.register(controlPlane, {
    worlds,
    templates,
    journals,
    dispatcher,
    feed,
    networkPolicy,
    traffic,
    defaults,
    adminToken,
    isExposed,
  })
  await server.ready()
  const notify = async (subscription: StartupSubscription) => {
    const world = (await worlds.acquire(DEFAULT_WORLD))!
    try {
      await startupSubscription.set(world, subscription)
    } finally {
      worlds.release(world)
    }
  }
  return { server, worlds, notify }
}
