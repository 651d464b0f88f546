import { realNow } from '../../db/clock.ts'
import type { World } from '../../db/world.ts'
import { messageById, messagesOf } from '../../domains/messages/queries.ts'
import type { MessageRow } from '../../domains/messages/tables.ts'
import { startedAttemptsOf } from '../../domains/notifications/delivery/attempt_log.ts'
import { listSettings } from '../../domains/notifications/queries.ts'
import { slaOf } from '../../domains/shipments/lead_time.ts'
import { shipmentsOf, stepsOf } from '../../domains/shipments/queries.ts'
import { isObject } from '../../http/bodies.ts'
import type { CountedRule } from '../../http/faults/rules.ts'
import { causeOf } from '../../http/journal/call_cause.ts'
import { isByAgent } from '../../http/journal/journal_entry.ts'
import type { Journal } from '../../http/journal/journals.ts'
import type { Paths } from '../../http/paths.ts'
import { rulePage } from '../faults/operations.ts'
import { MAX_RULES } from '../faults/schemas.ts'
import { mayFollowDelivery } from '../requests/after_delivery.ts'
import { Call } from './call.ts'
import { attemptsSince, latestNotifications } from './queries.ts'

export interface AuditedAttempt {
  /** World time, ms. */
  sent: number
  url: string
  /** Duration in real time, ms. */
  ms: number
  http_code: number | null
  error: string | null
  /** Real time, ms; undefined if the server was started since. */
  startedAt: number | undefined
}

export interface AuditedDelivery {
  id: number
  application_id: number
  user_id: number
  topic: string
  resource: string
  status: string
  /** World time at which it was delivered or abandoned, ms. */
  ended_at: number | null
  /** Finished ones, in order. */
  attempts: AuditedAttempt[]
  /** The user that it is for has caused the event, by a recorded call. */
  isOwn: boolean
}

/** The route whose answers print labels. */
export const LABELS = 'GET /shipment_labels'
/** The route by which sellers write messages. */
export const SENDING = 'POST /messages/packs/:pack_id/sellers/:seller_id'

interface PrintedLabel {
  shipment_id: number
  /** World time, ms: when it was first printed, and until when it had to be handed over. */
  printedAt: number
  expected: number
}

/** What is known of the programs that use a world, prepared for findings. */
export interface View {
  /** In the order of the answers. */
  calls: readonly Call[]
  /** No earlier call was dropped or deleted. */
  isWhole: boolean
  /** The latest notifications, oldest first. */
  deliveries: readonly AuditedDelivery[]
  /** Number of earlier notifications, deleted ones among them. */
  earlierDeliveries: number
  /** Shipments whose labels the calls have printed. */
  labels: readonly PrintedLabel[]
  /** The latest messages of the conversations in which the calls have written, oldest first. */
  conversations: readonly MessageRow[][]
  /** The topics of notifications, by application. */
  subscriptions: ReadonlyMap<number, readonly string[]>
  /** Fault rules, in their order. */
  rules: readonly CountedRule[]
  /** Real times at which control calls changed the world, ascending, ms. */
  controlTimes: readonly number[]
  /** Values of the assumptions that the world can choose. */
  switches: Pick<World, 'switches'>
  now: { real: number; world: number }
  /** Whether a notification is probably the reason of a call. */
  followsDelivery(call: Call): boolean
}

export interface ViewOptions {
  /** Those of the emulated API. */
  paths: Paths
  /** With the calls that an agent has made itself. */
  includesAgent?: boolean | undefined
}

const MAX_DELIVERIES = 1000
const MAX_ATTEMPTS = 10_000
/** Of a conversation. */
const MAX_MESSAGES = 1000

/** Reads what is known: at most the calls of the journal, and as many notifications. */
export async function openView(
  world: World,
  journal: Journal,
  { paths, includesAgent = false }: ViewOptions,
): Promise<View> {
  const deliveries = await readDeliveries(world, journal)
  const settings = await listSettings(world.read)
  const { generation } = world
  await paths.complete()
  const calls = readCalls(journal, paths).filter(({ entry }) => includesAgent || !isByAgent(entry))
  return {
    calls,
    labels: await readLabels(world, calls),
    conversations: await readConversations(world, calls),
    isWhole: journal.requests.first === 1,
    deliveries,
    earlierDeliveries: deliveries.length === MAX_DELIVERIES ? deliveries[0]!.id - 1 : 0,
    subscriptions: new Map(
      settings.map(({ application_id, topics }) => [application_id, JSON.parse(topics) as string[]]),
    ),
    rules: (await rulePage(world.read, { limit: MAX_RULES, offset: 0 })).rules,
    controlTimes: journal.control
      .values()
      .filter(({ write, path }) => write !== undefined && !path.startsWith('/clock'))
      .map(({ at, ms }) => at + ms),
    switches: world,
    now: { real: realNow(), world: world.clock.now() },
    followsDelivery: ({ entry }) => mayFollowDelivery(generation, entry),
  }
}

function readCalls({ requests, marks }: Journal, paths: Paths): Call[] {
  return requests.values().map((entry) => {
    const state = marks.filter(({ after }) => after < entry.id).length
    // An answer of a stub need not be like that of the route.
    return new Call(entry, entry.stub_id === null ? paths.match(entry.url) : undefined, state)
  })
}

async function readLabels({ read }: World, calls: readonly Call[]): Promise<PrintedLabel[]> {
  const ids = calls.filter(({ route }) => route === LABELS).flatMap((call) => call.ids('shipment_ids'))
  const rows = await shipmentsOf(read, ids)
  const steps = await stepsOf(read, rows)
  return rows.flatMap((row) => {
    const printed = steps.get(row.id)!.find(({ substatus }) => substatus === 'printed')
    return printed ? { shipment_id: row.id, printedAt: printed.at, expected: slaOf(row, [], 0).expected } : []
  })
}

async function readConversations({ read }: World, calls: readonly Call[]): Promise<MessageRow[][]> {
  const found = new Map<string, MessageRow[]>()
  for (const { route, isSuccess, answer } of calls) {
    if (route !== SENDING || !isSuccess || !isObject(answer)) continue
    const sent = await messageById(read, String(answer.id))
    if (!sent || found.has(`${sent.pack_id} ${sent.seller_id}`)) continue
    const { pack_id, seller_id } = sent
    const rows = await messagesOf(read, { pack_id, seller_id, user_id: seller_id, limit: MAX_MESSAGES, offset: 0 })
    found.set(`${pack_id} ${seller_id}`, rows.reverse())
  }
  return [...found.values()]
}

async function readDeliveries(world: World, { requests }: Journal): Promise<AuditedDelivery[]> {
  const rows = (await latestNotifications(world.read).all({ limit: MAX_DELIVERIES })).reverse()
  const [oldest] = rows
  if (!oldest) return []
  const attempts = await attemptsSince(world.read).all({ notification_id: oldest.id, limit: MAX_ATTEMPTS })
  const attemptsById = Map.groupBy(attempts, ({ notification_id }) => notification_id)
  const startTimes = new Map(
    startedAttemptsOf(world.generation)
      .values()
      .map(({ delivery_id, n, startedAt }) => [`${delivery_id}/${n}`, startedAt]),
  )
  return rows.map(({ cause: key, ...row }) => {
    const cause = causeOf(world, { cause: key })
    const call = cause?.kind === 'request' && cause.id !== null ? requests.get(cause.id) : undefined
    return {
      ...row,
      attempts: (attemptsById.get(row.id) ?? []).map(({ notification_id, n, ...attempt }) => ({
        ...attempt,
        startedAt: startTimes.get(`${notification_id}/${n}`),
      })),
      isOwn: call?.user_id === row.user_id,
    }
  })
}
