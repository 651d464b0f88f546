import type { FastifyInstance } from 'fastify'
import type { Worlds } from '../../db/worlds.ts'
import type { Templates } from '../../scenarios/templates.ts'

/** Event streams, notifications in flight and the like end while the last requests do; the worlds close after them. */
export function closeWithServer(
  server: FastifyInstance,
  users: { close(): Promise<unknown> }[],
  worlds: Worlds,
  templates: Templates | undefined,
): void {
  let closed: Promise<unknown> | undefined
  server.addHook('preClose', (done) => {
    closed = Promise.all(users.map((user) => user.close()))
    done()
  })
  server.addHook('onClose', async () => {
    templates?.close()
    await closed
    await worlds.close()
  })
}
