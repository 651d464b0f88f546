import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'

/** The port that the documentation names. */
const PORT = 3000
const URL = `http://127.0.0.1:${PORT}`
/** More than the limit of the profile `realistic`. */
const LATE_MS = 600

export interface Receiver {
  url: string
  /** Notifications to this address fail. */
  brokenUrl: string
  /** The next notification fails, or is answered too late. Others succeed. */
  next: 'ok' | 'failed' | 'late'
  close(): void
}

/** The receiver of the program. Throws an Error if its port is in use. */
export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = {
    url: `${URL}/hook`,
    brokenUrl: `${URL}/panel`,
    next: 'ok',
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  const server = createServer(async (request, response) => {
    const isBroken = request.url === '/panel'
    const { next } = receiver
    if (!isBroken) receiver.next = 'ok'
    for await (const _ of request);
    if (next === 'late' && !isBroken) await setTimeout(LATE_MS)
    response.writeHead(isBroken || next === 'failed' ? 503 : 200).end()
  })
  await once(server.listen(PORT, '127.0.0.1'), 'listening')
  return receiver
}
