import type { FastifyInstance } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import type { Dispatcher } from '../../domains/notifications/delivery/dispatcher.ts'
import type { Feed } from '../../domains/notifications/feed/feed.ts'
import type { Listeners } from '../../http/connections/listeners.ts'
import type { Templates } from '../../scenarios/templates.ts'

interface Closables {
  listeners: Listeners
  dispatcher: Dispatcher
  feed: Feed
  worlds: Worlds
  templates: Templates | undefined
}

/** Event streams and notifications in flight end while the last requests do; the worlds close after them. */
export function closeWithServer(
  server: FastifyInstance,
  { listeners, dispatcher, feed, worlds, templates }: Closables,
): void {
  let closed: Promise<unknown> | undefined
  server.addHook('preClose', (done) => {
    closed = Promise.all([listeners.close(), dispatcher.close(), feed.close()])
    done()
  })
  server.addHook('onClose', async () => {
    templates?.close()
    await closed
    await worlds.close()
  })
}
