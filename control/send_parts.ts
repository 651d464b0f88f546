import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/**
 * Sends a text in parts. `onEnd` is called once when nothing more is read, however the call ends: a `finally` of the
 * generator would not run if the client has gone before the first part is read.
 */
export function sendParts(
  reply: FastifyReply,
  type: string,
  parts: AsyncGenerator<string>,
  onEnd: () => void,
): FastifyReply {
  const stream = Readable.from(parts).once('close', onEnd)
  return reply.type(type).send(stream)
}
