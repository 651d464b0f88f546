import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { Test } from 'tap'

/** A notification as it is posted. */
export interface Got {
  _id: string
  resource: string
  user_id: number
  topic: string
  application_id: number
  attempts: number
  sent: string
  received: string
}

/** Listens on this machine until the test is done, keeps what it gets, and has `answer` answer it. */
export async function receiver(
  t: Test,
  answer: (response: ServerResponse, one: Got, nth: number) => unknown = (response) => response.end('{}'),
) {
  const got: Got[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    try {
      for await (const piece of request.setEncoding('utf8')) text += piece
    } catch {
      // Whoever sent it is gone, and has sent half of it.
      return
    }
    const one: Got = JSON.parse(text)
    await answer(response, one, got.push(one))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook`, got }
}
