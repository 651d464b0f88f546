import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Test } from 'tap'
import { until } from './until.ts'

/** A notification as received. */
export interface Notification {
  _id: string
  resource: string
  user_id: number
  topic: string
  application_id: number
  attempts: number
  sent: string
  received: string
}

/** Listens on 127.0.0.1 until the test ends, collects notifications and answers them with `answer`. */
export async function receiver(
  t: Test,
  answer: (response: ServerResponse, notification: Notification, nth: number) => unknown = (response) =>
    response.end('{}'),
) {
  const received: Notification[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    try {
      for await (const chunk of request.setEncoding('utf8')) text += chunk
    } catch {
      // The sender disconnected before the end of the body.
      return
    }
    const notification: Notification = JSON.parse(text)
    await answer(response, notification, received.push(notification))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`, received }
}

/** A receiver that answers only when the test calls `answer`. */
export async function manualReceiver(t: Test) {
  const waiting: ServerResponse[] = []
  const { url, received } = await receiver(t, (response) => void waiting.push(response))
  const attemptStarted = () => until('an attempt', () => waiting.length > 0)
  return {
    url,
    bodies: received,
    /** Waits until an attempt is in flight. */
    attemptStarted,
    async answer(status = 200) {
      await attemptStarted()
      waiting.shift()!.writeHead(status).end('{}')
    },
  }
}
