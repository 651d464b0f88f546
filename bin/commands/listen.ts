import { once } from 'node:events'
import { createServer, type IncomingMessage, request as overHttp, type ServerResponse } from 'node:http'
import { request as overHttps } from 'node:https'
import {
  applicationFlag,
  type NotificationSetting,
  overrideFlag,
  profileFlag,
  resolveApplication,
  settingPath,
  topicsFlag,
} from '../../domains/notifications/commands.ts'
import { type Client, defineCommand, printable, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import { usageError } from '../../lib/cli/errors.ts'
import type { Notification } from '../../lib/types.ts'
import { ALREADY_PRINTED } from '../command.ts'
import { formatJson, styled } from '../output.ts'
import { waitForSignal } from '../shutdown.ts'
import { followEvents, KINDS_FLAG } from './listen_events.ts'

/** Result of a notification. */
interface Outcome {
  /** Status of the answer; null if the server did not wait for it. */
  status: number | null
  /** Why forwarding failed; null if it succeeded, or was not requested. */
  error: string | null
}

/** Headers of one connection, which are not forwarded. */
const HOP_BY_HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'trailer',
  'te',
  'proxy-connection',
])

const FORWARD_FLAG: Setting = {
  flags: '--forward-to <address>',
  description: 'forward notifications to this address, and return its answers',
  parse(text) {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (!url || !/^https?:$/.test(url.protocol))
      throw usageError('--forward-to: must be an address such as http://127.0.0.1:3000/hook')
    return url
  },
}

export const listenCommand = defineCommand({
  name: 'webhooks listen',
  description: 'Stream notifications to the terminal until Ctrl-C, then restore the previous setting; or events',
  flags: [FORWARD_FLAG, applicationFlag, topicsFlag, profileFlag, overrideFlag, KINDS_FLAG],
  members: { overrides: '--override' },
  examples: [
    'webhooks listen',
    'webhooks listen --forward-to http://127.0.0.1:3000/hook --profile realistic',
    'webhooks listen --kinds request,control,fact,attempt',
  ],
  async run({
    client,
    terminal,
    flags: { forwardTo, application, topics, profile, override: overrides, kinds, json: asJson },
  }) {
    if (kinds !== undefined) return followEvents(client, kinds, asJson, terminal)
    const id = await resolveApplication(client, application)
    const previousSetting = await readSetting(client, id)
    // Notifications may arrive before the answer that has the limit.
    const limit = Promise.withResolvers<number>()
    const server = createServer((request, response) => {
      receive(request, response, { client, to: forwardTo, limit: limit.promise, asJson, terminal }).catch(() =>
        response.destroy(),
      )
    })
    // Connections stay open between notifications, even if these are rare.
    server.keepAliveTimeout = 0
    const signalReceived = waitForSignal()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const callback_url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`
    try {
      const setting = { callback_url, topics, profile, overrides }
      const { numbers }: NotificationSetting = await client.call(settingPath('PUT', id), setting)
      limit.resolve(numbers.limit_ms)
      terminal.err(
        `application ${id} sends notifications to ${callback_url} (${numbers.limit_ms} ms to answer); Ctrl-C restores the previous setting\n`,
      )
      await signalReceived
      await restoreSetting(client, id, callback_url, previousSetting)
    } finally {
      server.close()
      server.closeAllConnections()
    }
    return ALREADY_PRINTED
  },
  format: () => '',
})

/** The setting; undefined if the application has none. */
async function readSetting(client: Client, id: number): Promise<NotificationSetting | undefined> {
  const endpoint = settingPath('GET', id)
  const answer = await client.request(endpoint)
  return answer.status === 404 && /has no notification setting$/.test(answer.body?.message)
    ? undefined
    : client.requireSuccess(endpoint, answer)
}

/** A setting that was changed in the meantime stays. */
async function restoreSetting(
  client: Client,
  id: number,
  ownUrl: string,
  previousSetting?: NotificationSetting,
): Promise<void> {
  if ((await readSetting(client, id))?.callback_url !== ownUrl) return
  if (!previousSetting) return client.call(settingPath('DELETE', id))
  const { callback_url, topics, profile, overrides } = previousSetting
  await client.call(settingPath('PUT', id), { callback_url, topics, profile, overrides })
}

interface ReceiveOptions {
  client: Client
  to: URL | undefined
  /** Ms that the server waits for an answer. */
  limit: Promise<number>
  asJson: boolean
  terminal: Terminal
}

async function receive(
  request: IncomingMessage,
  response: ServerResponse,
  { client, to, limit, asJson, terminal }: ReceiveOptions,
): Promise<void> {
  const start = performance.now()
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  const bytes = Buffer.concat(pieces)
  const notification: Notification = JSON.parse(bytes.toString())
  const { status, error } = to ? await forward(to, request, bytes, response) : answer(response, 200, {})
  const ms = Math.round(performance.now() - start)
  const limit_ms = await limit
  terminal.out(
    asJson
      ? `${formatJson({ ...notification, status, error, ms, limit_ms })}\n`
      : `${formatAttempt(notification, { status, error }, `${ms} of ${limit_ms} ms`, await readText(client, notification))}\n`,
  )
}

/** One line, coloured on a terminal. */
function formatAttempt(
  { sent, topic, resource, user_id, attempts }: Notification,
  { status, error }: Outcome,
  duration: string,
  text: string | undefined,
): string {
  const isGood = error === null && status !== null && status < 400
  const cells = [
    styled('dim', printable(sent)),
    printable(topic),
    styled('cyan', printable(resource)),
    `for ${printable(user_id)}`,
    `attempt ${printable(attempts)}`,
    duration,
    styled(isGood ? 'green' : 'red', printable(error ?? status ?? 'the server did not wait')),
  ]
  if (text !== undefined) cells.push(styled('italic', `“${printable(text)}”`))
  return cells.join('  ')
}

/** The text of the question or of its answer, if the notification is about a question that the world still has. */
async function readText(client: Client, { resource }: Notification): Promise<string | undefined> {
  if (!/^\/questions\/\d+$/.test(resource)) return undefined
  try {
    const { text, answer } = await client.call(`GET ${resource}`)
    return answer?.text ?? text
  } catch {
    return undefined
  }
}

function answer(response: ServerResponse, status: number, body: object): Outcome {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  return { status, error: null }
}

/** Forwards a notification, and streams the answer back. Resolves when the answer has ended or broken off. */
function forward(to: URL, { headers }: IncomingMessage, bytes: Buffer, response: ServerResponse): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const sent = (to.protocol === 'https:' ? overHttps : overHttp)(to, {
    method: 'POST',
    agent: false,
    headers: { ...endToEndHeaders(headers), host: to.host },
  })
  sent.on('response', (upstream) => {
    response.writeHead(upstream.statusCode!, endToEndHeaders(upstream.headers))
    upstream.pipe(response)
    upstream.on('end', () => resolve({ status: upstream.statusCode!, error: null }))
    upstream.on('error', (error) => {
      response.destroy()
      resolve({ status: upstream.statusCode!, error: `the answer broke off (${codeOf(error)})` })
    })
  })
  sent.on('error', (error) => {
    if (response.headersSent || response.destroyed) return
    const message = `cannot be forwarded (${codeOf(error)})`
    resolve({ ...answer(response, 502, { message }), error: message })
  })
  // The server has closed the connection: it does not wait any longer.
  response.on('close', () => {
    resolve({ status: null, error: null })
    sent.destroy()
  })
  sent.end(bytes)
  return promise
}

const codeOf = ({ code, message }: NodeJS.ErrnoException) => code ?? message

const endToEndHeaders = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP_HEADERS.has(name)))
