import { createSecretKey } from 'node:crypto'
import { Agent as HttpAgent, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import { delay } from '../../db/timers.ts'
import type { Worlds } from '../../db/worlds.ts'
import type { AnswerUnavailable } from '../../http/fastify_types.ts'
import type { Metric } from '../../http/metric.ts'
import { stateOf } from '../../http/request_state.ts'
import { releaseWorld } from '../../http/request_world.ts'
import { NotOwned } from '../storage/ownership.ts'
import { forward, hasWholeBody, sentLine, targetOf } from './forward.ts'
import { readSentOn, SENT_ON_HEADER, signSentOn } from './sent_on_header.ts'

export interface SenderOptions {
  /** All nodes of the cluster have it. */
  key: Buffer
  /** Identifies this node. */
  node: () => string
  /** Called if the owner of a world did not serve it. */
  forgetOwner(world: number): void
  worlds: Worlds
  /** Where this node reaches itself; undefined: nowhere. */
  ownUrl: string | undefined
  /** Some proxies are trusted: nodes count as such, and say where a request came from. */
  isBehindProxy: boolean
}

/** For the world of its address, and for one that its body names. */
const MAX_TIMES = 2

/** Ms for which a request waits for the world of a server that cannot be reached, and between two looks. */
const MAX_MOVE_MS = 1000
const MOVE_INTERVAL_MS = 100

/** Addresses of nodes that are remembered in the form in which they are used. */
const MAX_TARGETS = 64

/**
 * Connections are as many as requests in flight: if they were fewer, event streams would take them all. Unused ones are closed
 * well before their server closes them, because a request that is sent at that moment has no answer.
 */
const AGENT_OPTIONS = { keepAlive: true, maxFreeSockets: 256, timeout: 30_000 }

/**
 * Sends requests whose world belongs to another node of the cluster to that node [spec: http.errors.unavailable]. A signed header
 * says for which world; it grants nothing else: the owner makes all checks itself.
 */
export default fp<{ sender: Sender }>(
  async (app, { sender }) => {
    const { secret, worlds, forgetOwner, sendTo, nextAddressOf } = sender
    const timesSentOn = new WeakMap<IncomingMessage, number>()

    app.addHook('onRequest', ({ raw }, _reply, done) => {
      const header = raw.headers[SENT_ON_HEADER]
      if (header === undefined) return done()
      delete raw.headers[SENT_ON_HEADER]
      const sentOn = readSentOn(secret, sentLine(raw), String(header))
      stateOf(raw).chosenWorld = sentOn?.world
      // What this node knows of the owner is older.
      if (sentOn) forgetOwner(sentOn.world)
      // Also without a valid header: two nodes that reject each other's would send a request to and fro.
      timesSentOn.set(raw, sentOn?.times ?? MAX_TIMES)
      done()
    })

    const sendOn: AnswerUnavailable = (request, reply, error, onFailed) => {
      if (!(error instanceof NotOwned)) return onFailed(error)
      const { raw } = request
      const { world, url } = error
      const times = timesSentOn.get(raw) ?? 0
      const isAllowed = times < MAX_TIMES && stateOf(raw).chosenWorld !== world
      // Requests that the server makes itself have no socket.
      if (url === null || !isAllowed || !hasWholeBody(raw) || !(raw.socket instanceof Socket)) return onFailed(error)
      // The client is gone.
      if (reply.raw.destroyed) return onFailed(error)
      reply.raw.once('close', () => releaseWorld(worlds, request))
      const fail = (failure: Error = error) => {
        raw.resume()
        onFailed(failure)
      }
      sendTo({ url, world, times: times + 1 }, request, reply, async (failure) => {
        // Nothing was sent: perhaps the server stops, and gives its worlds up.
        const next = failure ? undefined : await nextAddressOf(world, url)
        if (next === undefined || reply.raw.destroyed) fail(failure)
        else sendTo({ url: next, world, times: times + 1 }, request, reply, fail)
      })
      sender.count++
    }

    app.decorate('answerUnavailable', sendOn)

    app.closing.add(sender.endStreams)
    app.addHook('onClose', (_app, done) => {
      sender.close()
      done()
    })
  },
  { name: 'sending on', dependencies: ['traffic'] },
)

export const sentOnMetric = (sender: Sender): Metric => ({
  kind: 'counter',
  name: 'mercadito_requests_sent_on_total',
  help: 'Requests that were sent on to the server that owns their world',
  read: () => sender.count,
})

export type Sender = ReturnType<typeof createSender>

/** Sends requests to other nodes, over connections that stay open. */
export function createSender({ key, node, forgetOwner, worlds, ownUrl, isBehindProxy }: SenderOptions) {
  // Signing with the bytes takes five times as long.
  const secret = createSecretKey(key)
  const agents = { 'http:': new HttpAgent(AGENT_OPTIONS), 'https:': new HttpsAgent(AGENT_OPTIONS) }
  const targets = new LRUCache({ max: MAX_TARGETS, memoMethod: (url: string) => targetOf(url, agents) })
  const streams = new Set<() => void>()

  function sendTo(
    { url, world, times }: { url: string; world: number; times: number },
    request: FastifyRequest,
    reply: FastifyReply,
    onFailed: (failure?: Error) => void,
  ): void {
    const { raw } = request
    const headers = [SENT_ON_HEADER, signSentOn(secret, sentLine(raw), { node: node(), world, times })]
    if (isBehindProxy) headers.push('x-forwarded-for', raw.socket.remoteAddress ?? '')
    const onUnavailable = () => forgetOwner(world)
    forward(request, reply, { target: targets.memo(url), headers, streams, onUnavailable }, onFailed)
  }

  /** Where a world is that leaves the server at `url`; undefined if it does not within a second. */
  async function nextAddressOf(world: number, url: string): Promise<string | undefined> {
    for (let waited = 0; waited < MAX_MOVE_MS; waited += MOVE_INTERVAL_MS) {
      try {
        forgetOwner(world)
        const acquired = await worlds.acquire(world)
        if (acquired) worlds.release(acquired)
        return acquired && ownUrl
      } catch (error) {
        if (!(error instanceof NotOwned)) return undefined
        if (error.url !== null && error.url !== url) return error.url
      }
      await delay(MOVE_INTERVAL_MS)
    }
  }

  return {
    secret,
    worlds,
    forgetOwner,
    /** Requests that were sent on to the server that has their world. */
    count: 0,
    sendTo,
    nextAddressOf,
    endStreams(): void {
      for (const end of streams) end()
    },
    close(): void {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
