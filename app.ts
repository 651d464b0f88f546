import sensible from '@fastify/sensible'
import type { FastifyInstance } from 'fastify'
import { addApi, type CreatePart } from './api.ts'
import recording from './control/recording/plugin.ts'
import { openRecorded, type Recorder } from './control/recording/recorder.ts'
import { closeWithServer } from './control/service/close_with_server.ts'
import health, { SERVICE_PATHS } from './control/service/health.ts'
import metrics from './control/service/metrics.ts'
import type { Startup } from './control/service/server.ts'
import type { OnMiss } from './control/stubs/propose.ts'
import { openStorage, type WorldStorageOptions, worldDefaults } from './control/worlds/open_storage.ts'
import { createUndoCounter } from './control/worlds/undo_counter.ts'
import { Disk, isDiskFull, type ProbeDisk } from './db/disk.ts'
import { Unavailable } from './db/world.ts'
import type { Worlds } from './db/worlds.ts'
import { STEPS } from './domains/index.ts'
import type { InterceptAttempt } from './domains/notifications/delivery/deliver.ts'
import { type DispatcherOptions, openDispatcher } from './domains/notifications/delivery/dispatcher.ts'
import { openFeed } from './domains/notifications/feed/feed.ts'
import { openInboxes } from './domains/notifications/inbox/inboxes.ts'
import type { NetworkPolicy } from './domains/notifications/outbound/network_policy.ts'
import {
  createStartupSubscription,
  type StartupSubscription,
} from './domains/notifications/settings/startup_subscription.ts'
import { createListeners, type Listeners } from './http/connections/listeners.ts'
import { Parts } from './http/connections/parts.ts'
import { createInnerServer, createServer, type ServerOptions } from './http/connections/server.ts'
import { createTraffic, type Limits, type OnRequestEnd, type TrafficCounter } from './http/connections/traffic.ts'
import type { OnFault } from './http/errors/error_handler.ts'
import { openJournals } from './http/journal/journals.ts'
import type { Metric } from './http/metric.ts'
import type { ListedPlugin } from './http/plugin_list.ts'
import { CONTROL_PREFIX } from './http/rewrite_url.ts'
import controlAccess from './plugins/control_access.ts'
import trafficPlugin, { slowBodies } from './plugins/traffic.ts'
import { openTemplates } from './scenarios/templates.ts'

export interface Options extends WorldStorageOptions, ServerOptions {
  /** The token that control calls must have; without one they are accepted from loopback only. */
  adminToken?: string | undefined
  /** A token for control calls that change nothing; it needs an admin token. */
  viewerToken?: string | undefined
  /** While it returns true, control calls may only read (replays). */
  isReadOnly?: (() => boolean) | undefined
  onRequestEnd?: OnRequestEnd | undefined
  metrics?: Metric[]
  limits?: Limits
  /** Automatic snapshots before writes of the emulated API, of each world; default: 0, none are taken. */
  autoSnapshots?: number | undefined
  /** Finds out whether a full disk has space again (tests). */
  probeDisk?: ProbeDisk
  /** Calls that nothing answers become proposed stubs, which are only collected, or answer. */
  miss?: { mode: 'ask' | 'propose'; onMiss: OnMiss } | undefined
  /** Path of a new file in which calls are recorded. */
  record?: string | undefined
  /** Called instead of each attempt to deliver a notification (replays). */
  interceptAttempt?: InterceptAttempt | undefined
  /** How the program was started, for GET /server. */
  startup?: Startup
  /** Runs before the plugins of each server, to see every route (the OpenAPI generator). */
  beforePlugins?: (app: FastifyInstance) => void
  /** Changes the order of the API's plugins (tests). */
  arrangePlugins?: (plugins: ListedPlugin[]) => ListedPlugin[]
  /** The same for the control plane. */
  arrangeControlPlugins?: ((plugins: ListedPlugin[]) => ListedPlugin[]) | undefined
}

export interface App {
  server: FastifyInstance
  /** The servers of the parts of the emulated API, each of which its first request opens. */
  openApi(): Promise<FastifyInstance[]>
  /** The server of the control plane, which the first control call opens. */
  openControlPlane(): Promise<FastifyInstance>
  worlds: Worlds
  listenOn: Listeners['listen']
  attach: Listeners['attach']
  /** Subscribes the default world's first application from now on, also after a reset. */
  notify(subscription: StartupSubscription): Promise<void>
}

/** Builds the server. The caller calls `listenOn`, or injects requests, and closes `server`. If it rejects, nothing stays open. */
export async function build(given: Options): Promise<App> {
  const { recorder, worlds } = await openRecorded(given, (readTime) => openStorage(given, readTime))
  const disk = watchDisk(worlds, given)
  const options = { ...given, onFault: reportFault(disk, given.onFault) }
  const { folder, adminToken, viewerToken, isExposed = false, limits = {}, onRequestEnd } = options
  const parts = new Parts(SERVICE_PATHS)
  const server = createServer(options, parts)
  const templates = options.templates ?? openTemplates(folder.path)
  const listeners = createListeners(server)
  const networkPolicy = networkPolicyOf(listeners, options)
  const inboxes = openInboxes()
  const interceptAttempt = recorder?.interceptAttempt ?? options.interceptAttempt
  const { dispatcher, feed, startupSubscription } = connectNotifications(
    { worlds, networkPolicy, inboxes, interceptAttempt },
    options,
  )
  closeWithServer(
    server,
    [listeners, dispatcher, feed, startupSubscription],
    worlds,
    options.templates ? undefined : templates,
  )

  const journals = openJournals()
  const traffic = createTraffic(limits, onRequestEnd)
  const { paths } = server
  const undoCounter = createUndoCounter(worlds, journals, templates)
  const access = { adminToken, viewerToken, isReadOnly: options.isReadOnly, isExposed }
  const prepare = preparation(options, { recorder, worlds, traffic })
  const control = createInnerServer(server, options, (app) => {
    prepare(app)
    app.register(import('./control/index.ts'), {
      ...access,
      ...{ server, worlds, templates, journals, undoCounter, dispatcher, feed, inboxes, networkPolicy, traffic, paths },
      startup: options.startup ?? UNKNOWN_STARTUP,
      defaults: worldDefaults(options),
      arrangePlugins: options.arrangeControlPlugins,
    })
  })
  parts.add(control, [CONTROL_PREFIX.slice(1)])
  const createPart: CreatePart = (register, next) =>
    createInnerServer(
      server,
      options,
      (app) => {
        prepare(app)
        register(app)
      },
      next,
    )
  addApi(parts, createPart, { ...options, server, worlds, journals, traffic, undoCounter })
  prepare(server)
  server.register(slowBodies, { traffic })
  server.addHook('onRoute', (route) => paths.add(route))
  server.register(health, { worlds, traffic, disk })
  server.register(async (app) => {
    app.register(controlAccess, access)
    const more = () => [...(options.metrics ?? []), ...(options.sharing?.metrics() ?? [])]
    app.register(metrics, { worlds, traffic, dispatcher, disk, more })
  })
  try {
    await server.ready()
    // A body that arrives while a part opens would be missing in the recording.
    if (recorder) await Promise.all([parts.open(), control.open()])
  } catch (error) {
    await server.close()
    recorder?.discard()
    throw error
  }
  const { listen: listenOn, attach } = listeners
  return {
    server,
    openApi: parts.open,
    openControlPlane: control.open,
    worlds,
    listenOn,
    attach,
    notify: startupSubscription.set,
  }
}

/** Registers what every server needs. */
const preparation =
  (
    { beforePlugins, sharing }: Options,
    { recorder, worlds, traffic }: { recorder: Recorder | undefined; worlds: Worlds; traffic: TrafficCounter },
  ) =>
  (app: FastifyInstance): void => {
    beforePlugins?.(app)
    app.register(sensible)
    if (recorder) app.register(recording, { recorder, worlds })
    app.register(trafficPlugin, { traffic })
    sharing?.register(app, worlds)
  }

const UNKNOWN_STARTUP: Startup = { node: 'unknown', settings: [] }

const watchDisk = ({ tempFilePath }: Worlds, { probeDisk: probe, onNotice = () => {} }: Options): Disk =>
  new Disk({ tempFilePath, probe, onNotice })

/** Every failed write is reported as a fault, by the error handler or by what runs in the background. */
const reportFault =
  (disk: Disk, onFault: OnFault): OnFault =>
  (error) => {
    disk.onError(error)
    // A world that cannot be used here is no fault.
    if (!isDiskFull(error) && !(error instanceof Unavailable)) onFault(error)
  }

const networkPolicyOf = ({ addresses }: Listeners, { isExposed = false, allowlist = [] }: Options): NetworkPolicy => ({
  isExposed,
  allowlist,
  listenAddresses: addresses,
})

/** Sends the events of every open world to its subscribers. */
function connectNotifications(
  { worlds, ...delivery }: Pick<DispatcherOptions, 'worlds' | 'networkPolicy' | 'inboxes' | 'interceptAttempt'>,
  { mode, onFault, onNotice }: Options,
) {
  const feed = openFeed(worlds, onFault)
  const dispatcher = openDispatcher({
    worlds,
    steps: STEPS,
    ...delivery,
    onFault,
    onAttempt: feed.notifyAttempt,
    onSwitchedOff: ({ id }, { application_id, topic, missed }) =>
      onNotice?.(
        `world ${id}: application ${application_id} gets no more notifications of ${topic}: ${missed} in a row were missed; set its notifications again to continue`,
      ),
  })
  const startupSubscription = createStartupSubscription(worlds, onFault)
  worlds.onOpen((world) => {
    feed.watch(world)
    // Subscribe before the first call, so that the first events of a new state are sent too.
    startupSubscription.reapply(world)
    dispatcher.watch(world)
  })
  // Pending notifications of kept worlds do not wait until a call opens their world.
  if (mode === 'kept') dispatcher.resume(worlds.ids()).catch(onFault)

  return { feed, dispatcher, startupSubscription }
}
