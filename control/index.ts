import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import type { Worlds } from '../db/worlds.ts'
import { DOMAINS } from '../domains/index.ts'
import type { Dispatcher } from '../domains/notifications/delivery/dispatcher.ts'
import type { Feed } from '../domains/notifications/feed/feed.ts'
import type { Inboxes } from '../domains/notifications/inbox/inboxes.ts'
import type { NetworkPolicy } from '../domains/notifications/outbound/network_policy.ts'
import type { Traffic } from '../http/connections/traffic.ts'
import { methodNotAllowed, routeNotFound } from '../http/errors/errors.ts'
import type { Journals } from '../http/journal/journals.ts'
import { createPaths, methodsOf, type Paths } from '../http/paths.ts'
import { type ListedPlugin, registerAll, withOptions } from '../http/plugin_list.ts'
import { CONTROL_PREFIX } from '../http/rewrite_url.ts'
import bodies from '../plugins/bodies.ts'
import controlAccess, { type ControlAccessOptions, localHosts } from '../plugins/control_access.ts'
import { controlJournal } from '../plugins/journal.ts'
import strictQueries from '../plugins/strict_queries.ts'
import { worldsByAddress } from '../plugins/worlds.ts'
import type { Templates } from '../scenarios/templates.ts'
import audit from './audit/index.ts'
import consoleRoutes from './console/index.ts'
import deliveries from './deliveries/index.ts'
import diff from './diff/index.ts'
import document from './docs/index.ts'
import facts from './events/facts.ts'
import events from './events/index.ts'
import { createTries } from './explain/fix.ts'
import explain from './explain/index.ts'
import faults from './faults/index.ts'
import overview from './overview/index.ts'
import recording from './recording/index.ts'
import controlCalls from './requests/control_calls.ts'
import requests from './requests/index.ts'
import verify from './requests/verify.ts'
import runRoutes from './runs/index.ts'
import { openRuns } from './runs/runs.ts'
import backup from './service/backup.ts'
import { LongCalls, progress } from './service/long_calls.ts'
import server, { type Startup, whoami } from './service/server.ts'
import simulate from './simulation/index.ts'
import sales from './simulation/sales.ts'
import stubs from './stubs/index.ts'
import worldFile from './world_file/index.ts'
import assumptions from './worlds/assumptions.ts'
import clock from './worlds/clock.ts'
import type { WorldDefaults } from './worlds/create_world.ts'
import worldRoutes from './worlds/index.ts'
import snapshots from './worlds/snapshots.ts'
import snapshotsBeforeCalls from './worlds/snapshots_before_calls.ts'
import undo from './worlds/undo.ts'
import type { UndoCounter } from './worlds/undo_counter.ts'

interface ControlOptions extends ControlAccessOptions {
  /** The server of the emulated API. */
  server: FastifyInstance
  worlds: Worlds
  templates: Templates
  defaults: WorldDefaults
  journals: Journals
  undoCounter: UndoCounter
  dispatcher: Dispatcher
  feed: Feed
  /** Receivers of the target `inbox:`. */
  inboxes: Inboxes
  /** Allowed targets of notifications. */
  networkPolicy: NetworkPolicy
  traffic: Traffic
  /** Gets the paths outside the prefix. */
  paths: Paths
  startup: Startup
  /** Changes the order of its plugins (tests). */
  arrangePlugins?: ((plugins: ListedPlugin[]) => ListedPlugin[]) | undefined
}

/** The control plane, under its own prefix: no path of the emulated API begins with it. */
const controlPlane: FastifyPluginAsync<ControlOptions> = async (app, options) => {
  const { worlds, journals, undoCounter, adminToken, viewerToken, isReadOnly, isExposed, arrangePlugins } = options
  const controlPaths = createPaths()
  app.register(
    async (app) => {
      app.addHook('onRoute', (route) => controlPaths.add(route))
      app.register(localHosts, { isExposed })
      app.register(consoleRoutes)
    },
    { prefix: CONTROL_PREFIX },
  )
  app.register(
    async (app) => {
      app.addHook('onRoute', (route) => controlPaths.add(route))
      app.setNotFoundHandler(({ url }) => {
        const path = controlPaths.match(url)
        throw path ? methodNotAllowed(methodsOf(path, false).join(', ')) : routeNotFound()
      })
      const plugins = [
        withOptions(controlAccess, { adminToken, viewerToken, isReadOnly, isExposed }),
        withOptions(worldsByAddress, { worlds }),
        withOptions(controlJournal, { journals }),
        withOptions(bodies, {}),
        withOptions(strictQueries, {}),
        withOptions(snapshotsBeforeCalls, { worlds, undoCounter }),
      ]
      registerAll(app, plugins, arrangePlugins)
      app.register(controlRoutes, options)
    },
    { prefix: CONTROL_PREFIX },
  )
}
export default controlPlane

/** The routes depend on every plugin: most of them act on routes that are registered after them. */
const controlRoutes = fp<ControlOptions>(
  async (app, options) => {
    const { worlds, templates, defaults, journals, undoCounter, dispatcher, feed, inboxes, networkPolicy } = options
    const { traffic, paths, startup } = options
    const longCalls = new LongCalls()
    const tryCall = createTries(options.server, worlds)
    const runs = openRuns({ worlds, journals, paths, tryCall })
    // In this context: each of its own would take 0.4 ms of the start.
    const api = app.withTypeProvider<TypeBoxTypeProvider>()
    await document(api, {})
    await worldRoutes(api, { worlds, templates, defaults, runs })
    await server(api, { worlds, traffic, startup })
    await overview(api, { worlds, journals })
    await backup(api, { worlds, longCalls })
    await progress(api, { longCalls })
    await whoami(api, {})
    await snapshots(api, { worlds, templates, longCalls, runs })
    await undo(api, { worlds, undoCounter })
    await diff(api, { worlds, templates })
    await clock(api, { worlds, dispatcher })
    // They may have parsers of their own.
    for (const { control } of DOMAINS)
      if (control) app.register(control(), { worlds, dispatcher, inboxes, networkPolicy })
    await deliveries(api, { dispatcher })
    await events(api, { worlds, feed, journals })
    await facts(api, {})
    await faults(api, { paths })
    await stubs(api, { journals, paths })
    await requests(api, { journals })
    await controlCalls(api, { journals })
    await explain(api, { server: options.server, journals, paths, tryCall })
    await verify(api, { journals, paths })
    await audit(api, { journals, paths })
    await runRoutes(api, { runs, paths })
    await simulate(api, { longCalls })
    await sales(api, {})
    await assumptions(api, {})
    await worldFile(api, { worlds, defaults, networkPolicy })
    await recording(api, { worlds, templates, journals })
  },
  {
    name: 'control routes',
    encapsulate: true,
    dependencies: ['control access', 'worlds', 'control journal', 'bodies', 'strict queries', 'snapshots before calls'],
  },
)
