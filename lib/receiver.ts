import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Notification, Receiver } from './types.ts'

interface ReceiverServer {
  /** URL that receives notifications. */
  url: string
  close(): void
}

/** Where notifications are sent: addresses, and functions, each of which gets a server. */
export function createTargets() {
  const receivers: ReceiverServer[] = []
  return {
    async urlOf(target: string | Receiver): Promise<string> {
      if (typeof target === 'string') return target
      const receiver = await openReceiver(target)
      receivers.push(receiver)
      return receiver.url
    },
    close() {
      for (const receiver of receivers) receiver.close()
    },
  }
}

/** Opens a server on loopback that passes each POST to a function. */
async function openReceiver(receiver: Receiver): Promise<ReceiverServer> {
  const server = createServer((request, response) => {
    receive(receiver, request, response).catch((error) => {
      // The attempt has the status; the error itself is not logged.
      response.statusCode = 500
      response.end(String(error?.stack ?? error))
    })
  })
  server.listen(0, '127.0.0.1').unref()
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function receive(receiver: Receiver, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const { host, 'content-type': type = 'application/json' } = request.headers
  const headers = { ...(request.headers as Record<string, string>), 'content-type': type }
  const webhookRequest = new Request(`http://${host}${request.url}`, { method: 'POST', headers, body })
  const answer = await receiver(JSON.parse(body) as Notification, webhookRequest)
  // Other values do not count: `(n) => received.push(n)` returns a number.
  if (answer instanceof Response) {
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    response.end(Buffer.from(await answer.arrayBuffer()))
  } else response.end()
}
