import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { type Client, printable, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import type { AnyEvent } from '../../lib/types.ts'
import { formatJson, styled } from '../output.ts'

export const KINDS_FLAG: Setting = {
  flags: '--kinds <names>',
  description:
    'print events of the world, and no notifications: fact, attempt, topic_off, request, control, clock, world, contact; separated by commas',
  conflicts: ['forwardTo', 'application', 'topics', 'profile', 'override'],
}

/** Ms until a stream that has ended is opened again. */
const RECONNECT_MS = 300

/** Prints the events of a world, also after a reset, until the program or the server is ended. */
export async function followEvents(
  client: Client,
  kinds: string,
  asJson: boolean,
  { out, err }: Terminal,
): Promise<never> {
  for (let isFirst = true; ; isFirst = false) {
    const stream = await client.stream(`GET /events?kinds=${encodeURIComponent(kinds)}`)
    if (isFirst) err(`streaming events of world ${client.world}; Ctrl-C ends it\n`)
    for await (const event of readEvents(stream)) out(asJson ? `${formatJson(event)}\n` : `${formatEvent(event)}\n`)
    await setTimeout(RECONNECT_MS)
  }
}

async function* readEvents(stream: Readable): AsyncGenerator<AnyEvent> {
  let type = ''
  for await (const line of createInterface({ input: stream })) {
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? []
    if (name === 'event') type = value!
    if (name === 'data') yield { type, ...JSON.parse(value!) }
  }
}

type Describe = { [Type in AnyEvent['type']]: (event: Extract<AnyEvent, { type: Type }>) => unknown[] }

/** The cells of a line: its time, if it has one, and what happened. */
const DESCRIBE: Describe = {
  fact: ({ at, id, resource, cause }) => [at, id, resource, cause ? `by ${cause.kind} ${cause.id ?? ''}` : ''],
  attempt: ({ sent, delivery_id, n, resource, user_id, ms, limit_ms, error, http_code }) => [
    ...[sent, `delivery ${delivery_id}`, `attempt ${n}`, resource, `for ${user_id}`],
    ...[`${ms} of ${limit_ms} ms`, error ?? http_code],
  ],
  topic_off: ({ since, application_id, topic }) => [since, application_id, topic],
  request: ({ at, id, method, path, status, ms }) => [at, id, method, path, status ?? 'no answer', `${ms} ms`],
  control: ({ at, id, method, path, status, ms }) => [at, id, method, path, status, `${ms} ms`],
  clock: ({ now, before, mode }) => [now, mode, `was ${before}`],
  world: ({ change, name }) => ['', change, name ?? ''],
  contact: ({ item_id, phone_views, messaging_clicks, questions }) => [
    ...['', item_id, `${phone_views} phone views`, `${messaging_clicks} clicks`, `${questions} questions`],
  ],
  gap: ({ kind = 'fact', after, first }) => ['', kind, `${after} to ${first} are no longer stored`],
}

function formatEvent(event: AnyEvent): string {
  const [time, ...cells] = (DESCRIBE[event.type] as (event: AnyEvent) => unknown[])(event).map(printable)
  return [styled('dim', time!), styled('cyan', event.type), ...cells].filter(Boolean).join('  ')
}
