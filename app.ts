import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import type { Folder } from './db/folders.ts'
import { HOME, type LayOut, openWorlds, type Worlds } from './db/worlds.ts'
import { registerDomains } from './domains/index.ts'
import { openDispatcher } from './domains/notifications/dispatcher.ts'
import { openFeed } from './domains/notifications/feed.ts'
import { type Standing, standing } from './domains/notifications/standing.ts'
import { holderOf } from './domains/oauth/queries.ts'
import sandbox from './domains/sandbox/index.ts'
import { fromPath } from './domains/sandbox/world_file/loading.ts'
import { readAddress } from './plugins/address.ts'
import auth from './plugins/auth.ts'
import bodies, { BODY_LIMIT } from './plugins/bodies.ts'
import cors from './plugins/cors.ts'
import describe from './plugins/describe.ts'
import { answerBrokenRequest, answerErrors, asRefusal, type OnFault, standardError } from './plugins/errors.ts'
import faults from './plugins/faults.ts'
import finished from './plugins/finished.ts'
import journal from './plugins/journal.ts'
import { openJournals } from './plugins/journals.ts'
import jsonp, { asScript } from './plugins/jsonp.ts'
import { pathBook } from './plugins/paths.ts'
import projection from './plugins/projection.ts'
import { serializerCompiler, validatorCompiler } from './plugins/validation.ts'
import worldsPlugin from './plugins/worlds.ts'
import { layOut, type Start } from './scenarios/index.ts'
import { type Templates, templatesIn } from './scenarios/templates.ts'

export interface Options extends Start {
  folder: Folder
  mode: Worlds['mode']
  /** Path of a world file that a new default world is laid out from, instead of the scenario. */
  load?: string | undefined
  /** What control calls must bear; without one they must come from this machine. */
  adminToken?: string | undefined
  /** Others than this machine can reach the server: Host says nothing about who calls. */
  wide?: boolean
  /** Where notifications may go besides, as `readListed` takes it. */
  listed?: string[]
  /** Those that several servers of a process share; whoever made them closes them. */
  templates?: Templates | undefined
  /** Told of every fault that is not a refusal. */
  onFault: OnFault
  /** Told what whoever runs the server should know. */
  onNotice?: (text: string) => void
  /** Runs before the plugins, for what must see every route (the OpenAPI generator). */
  before?: (app: FastifyInstance) => void
}

export interface App {
  server: FastifyInstance
  worlds: Worlds
  /** Has the default world's first application told from now on, also after a reset. */
  notify(wish: Standing): Promise<void>
}

/** Puts the server together; the caller listens, or injects, and closes `server`. */
export async function build({
  folder,
  mode,
  load,
  adminToken,
  wide = false,
  listed = [],
  templates: shared,
  onFault,
  onNotice = () => {},
  before,
  ...start
}: Options): Promise<App> {
  const defaults = { switches: start.switches ?? {}, secret: start.secret }
  // It does not listen yet: its own address is known to the attempts.
  const first: LayOut = load
    ? fromPath(load, { ...defaults, reach: { wide, listed } })
    : (file, id) => layOut(file, id, start, shared && { templates: shared })
  const worlds = await openWorlds(folder, mode, first, { start: load !== undefined })
  const server = Fastify({
    bodyLimit: BODY_LIMIT,
    rewriteUrl: readAddress,
    // Longer ones are answered by the resource's own 404, not by the router.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 * 1024 },
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors(error, request, reply) {
      const told = asRefusal(error, onFault)
      const body = JSON.stringify(standardError(told))
      const answer = reply as FastifyReply
      answer.code(told.statusCode).header('content-type', 'application/json; charset=utf-8')
      const { callback, control } = request.raw
      if (!control) answer.header('access-control-allow-origin', '*')
      answer.send(callback === undefined ? body : asScript(callback, answer, body))
    },
  })
  server.setValidatorCompiler(validatorCompiler)
  server.setSerializerCompiler(serializerCompiler)
  server.setErrorHandler(answerErrors(onFault))
  const templates = shared ?? templatesIn(folder.path)
  const reach = { wide, listed, own: () => server.addresses().filter((at) => typeof at === 'object') }
  const feed = openFeed(worlds, onFault)
  const dispatcher = openDispatcher({
    worlds,
    reach,
    onFault,
    onAttempt: feed.attempted,
    onSwitchedOff: ({ id }, { application_id, topic, missed }) =>
      onNotice(
        `world ${id}: application ${application_id} is told no more of ${topic}: ${missed} notifications in a row were missed; set its notifications again to go on`,
      ),
  })
  worlds.onOpen(feed.watch)
  const told = standing(onFault)
  worlds.onOpen((world) => {
    // Before anybody calls: what happens first in the new state is told too.
    if (world.id === HOME) told.renew(world)
    dispatcher.watch(world)
  })
  // What a kept world has still to tell does not wait until somebody calls it.
  if (mode === 'kept') dispatcher.resume(worlds.ids()).catch(onFault)
  server.addHook('onClose', async () => {
    if (!shared) templates.close()
    await dispatcher.close()
    worlds.close()
  })

  const journals = openJournals()

  before?.(server)
  server.register(async (api) => {
    api.register(cors)
    api.register(worldsPlugin, { worlds, by: 'token' })
    api.register(finished)
    api.register(faults, { worlds, journals, callerOf: holderOf })
    api.register(projection)
    // Before the wrapping: its hook sees what a script bears.
    api.register(journal, { journals })
    api.register(jsonp)
    api.register(auth, { callerOf: holderOf })
    api.register(bodies)
    api.register(describe, { paths: pathBook() })
    registerDomains(api, { worlds, onFault })
  })
  server.register(sandbox, {
    worlds,
    templates,
    journals,
    dispatcher,
    feed,
    reach,
    defaults,
    adminToken,
    wide,
  })
  await server.ready()
  const notify = async (wish: Standing) => {
    const home = (await worlds.hold(HOME))!
    try {
      await told.set(home, wish)
    } finally {
      worlds.letGo(home)
    }
  }
  return { server, worlds, notify }
}
