import type { FastifyPluginAsync } from 'fastify'
import type { EventSubscriber } from '../db/engine.ts'
import type { Draft } from '../db/sqlite/draft.ts'
import type { TableDescriptor } from '../db/tables.ts'
import type { Worlds } from '../db/worlds.ts'
import type { Assumptions } from '../http/assumptions.ts'
import type { OnFault } from '../http/errors/error_handler.ts'
import type { DemoGenerator } from './demo.ts'
import type { DueSource, TimedSteps } from './due.ts'
import type { Dispatcher } from './notifications/delivery/dispatcher.ts'
import type { Inboxes } from './notifications/inbox/inboxes.ts'
import type { NetworkPolicy } from './notifications/outbound/network_policy.ts'
import type { CommandSet } from './shared/commands.ts'

/** Options of the routes of every domain. */
export interface RouteOptions {
  worlds: Worlds
  /** Called for every unexpected error; API errors do not reach it. */
  onFault: OnFault
}

/** Options of the control routes of every domain. */
interface ControlRouteOptions {
  worlds: Worlds
  dispatcher: Dispatcher
  /** Receivers of the target `inbox:`. */
  inboxes: Inboxes
  /** Allowed targets of notifications. */
  networkPolicy: NetworkPolicy
}

/** Domains that a domain uses, by name. `test/architecture.test.ts` rejects every other import. */
interface UsedDomains {
  /** Their queries and tables. */
  reads?: readonly string[]
  /** Their operations. */
  writes?: readonly string[]
  /** Their operations, from its control routes: these act for the operator and may write more. */
  controlWrites?: readonly string[]
}

/** The descriptor of a domain. `domains/index.ts` lists all of them. */
export interface Domain {
  /** The folder's name. */
  name: string
  /** What it imports from other domains. */
  uses: UsedDomains
  /** Loads the domain's part of the emulated API, at the first request to it. */
  routes: () => Promise<{ default: FastifyPluginAsync<RouteOptions> }>
  /** With what its paths begin (http/path_prefixes.ts): the first request of one of them opens the domain's server. */
  paths: readonly string[]
  /** Loads the domain's part of the control plane, at the first control call; null if it has none. */
  control: (() => Promise<{ default: FastifyPluginAsync<ControlRouteOptions> }>) | null
  /** By name; each name begins with the domain's, or with that of a resource it owns. */
  assumptions: Assumptions
  /** Topics of the events that the domain publishes; notifications can be about them. */
  topics: readonly string[]
  /** The domain's commands of the command line; null if it has none. */
  commands: CommandSet | null
  /** What the time in a world does to its rows. */
  due: readonly DueSource[]
  /** What the time in a world does to its rows with an event. */
  steps?: TimedSteps
  /** Every table of the domain. */
  tables: readonly TableDescriptor[]
  /** Loads the generator of the demo rows, on demand: only the build and other seeds need it. Null if there is none. */
  demo: (() => Promise<{ generateRows: DemoGenerator }>) | null
  /** Deletes the rows of a draft after `now`, ms; null if no row of a scenario is later than its origin. */
  trimHistory: ((draft: Draft, upTo: { now: number; origin: number }) => void) | null
  /** Called in the unit of every published event. */
  subscriber?: EventSubscriber
}

/** The parts that a domain without rows of its own does not have. */
export const WITHOUT_ROWS = {
  control: null,
  commands: null,
  demo: null,
  trimHistory: null,
  topics: [],
  due: [],
  tables: [],
} satisfies Partial<Domain>
