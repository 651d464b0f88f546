import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type * as Library from '../../lib/index.ts'
import { PACKAGE } from '../package/build.ts'

/** A server that answers each call to create a world with the same one, and never deletes it. */
export interface SharedWorld {
  url: string
  reset(): Promise<void>
  /** How often an answer was sent. */
  countAnswers(): Promise<number>
  close(): Promise<void>
}

export async function openSharedWorld(): Promise<SharedWorld> {
  // The sources would take two seconds.
  const { sandbox } = (await import(`${PACKAGE}/dist/index.cjs`)) as typeof Library
  const { sellers, buyers, application, world, fetch, reset, requests, close } = await sandbox({
    scenario: 'quiet',
    port: false,
  })
  const server = createServer(async (request, response) => {
    const call = `${request.method} ${request.url}`
    if (call === 'POST /_sandbox/worlds') response.end(JSON.stringify({ url, world, application, sellers, buyers }))
    else if (call === `DELETE /_sandbox/worlds/${world.id}`) response.writeHead(204).end()
    else {
      const answer = await fetch(request.url!, { method: request.method!, ...(await contentOf(request)) })
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    url,
    reset,
    countAnswers: async () => (await requests({ method: 'POST', path: '/answers' })).length,
    async close() {
      server.closeAllConnections()
      server.close()
      await close()
    },
  }
}

/** Headers of the connection are those of the caller. */
async function contentOf(request: IncomingMessage): Promise<Pick<RequestInit, 'headers' | 'body'>> {
  const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
  const body = await buffer(request)
  return { headers: headers as Record<string, string>, ...(body.length > 0 && { body }) }
}
