import { type IncomingMessage, request } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Owner } from './torture.ts'
import { until } from './until.ts'

export interface Event {
  event?: string
  id?: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any event
  data?: any
  retry?: string
}

export const urlOf = (server: Pick<FastifyInstance, 'server'>) =>
  `http://127.0.0.1:${(server.server.address() as { port: number }).port}`

/** An event stream as a client reads it. */
export async function follow(t: Owner, url: string, headers: Record<string, string> = {}) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { headers, agent: false }, resolve).on('error', reject).end()
  })
  t.teardown(() => response.destroy())
  const events: Event[] = []
  let text = ''
  let heartbeats = 0
  response.setEncoding('utf8').on('data', (chunk) => {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      if (lines[0] === ':') heartbeats++
      else {
        const event = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
        events.push(event.data === undefined ? event : { ...event, data: JSON.parse(event.data) })
      }
    }
  })
  const ended = new Promise<string>((resolve) => {
    response.once('end', () => resolve('ended')).once('error', () => resolve('cut off'))
  })
  return {
    response,
    events,
    ended,
    untilSome: (isSought: (event: Event) => boolean) => until(`an event as ${isSought}`, () => events.some(isSought)),
    until: (count: number) => until(`${count} events`, () => events.length >= count),
    heartbeat: (count: number) => until(`${count} heartbeats`, () => heartbeats >= count),
  }
}
