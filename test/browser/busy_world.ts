import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Stage } from './stage.ts'

/** What pages of others have been broken with: elements, templates, code, text that turns the direction, emoji. */
const ATTACK = `<script>hostile=1</script><img src=x onerror=hostile=1>{{7*7}}\${7*7}\u202ejavascript:hostile=1\u2066\u200f"'&<!--😀👩‍👩‍👧`

/** Hostile text of at most so many characters, which has no place to break. */
export const hostile = (length: number): string => {
  const text = ATTACK + 'x'.repeat(length)
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}
const ASCII = '<img/src=x/onerror=hostile=1>javascript:hostile=1//"\'&{{7*7}}'
const ITEM = 'MLA1400000001'

/** A program that answers notifications with hostile text. */
async function startReceiver(status: number) {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(status, { 'x-a': ASCII }).end(hostile(10_000)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${encodeURI(ASCII)}`, server }
}

/** A world in which everything has happened, with hostile text wherever the server takes text. */
export async function fillWorld(stage: Stage): Promise<void> {
  const receiver = await startReceiver(503)
  try {
    await fillPeople(stage)
    await fillNotifications(stage, receiver.url)
    await fillQuestions(stage)
    await fillSale(stage)
    await fillRequests(stage)
    await fillRest(stage)
    await stage.control.call('POST /settle')
  } finally {
    receiver.server.closeAllConnections()
    receiver.server.close()
  }
}

async function fillPeople({ control, info }: Stage): Promise<void> {
  const names = { first_name: hostile(100), last_name: hostile(100), phone: hostile(40) }
  for (const { id } of [info.sellers[0]!, info.buyers[0]!])
    await control.call('PATCH /users/{id}', { path: { id }, body: { nickname: hostile(60 - (id % 2)), ...names } })
  await control.call('PATCH /items/{id}', { path: { id: ITEM }, body: { title: hostile(255) } })
  await control.call('PATCH /worlds/{id}', { path: { id: 1 }, body: { name: hostile(100) } })
  await control.call('POST /worlds', {
    body: { scenario: 'empty', name: hostile(99), created_by: hostile(100), expires_in: 3600 },
  })
  await control.call('POST /snapshots', { body: { name: 'x'.repeat(64), label: hostile(100) } })
}

async function fillNotifications({ control, info }: Stage, url: string): Promise<void> {
  await control.call('PUT /applications/{id}/notifications', {
    path: { id: info.application.id },
    body: { callback_url: url, overrides: { attempts_at: [0, 60_000], off_after: 2, limit_ms: 60_000 } },
  })
  const { id } = await control.call('POST /applications', {
    body: { name: hostile(100), redirect_uri: `http://127.0.0.1:3000/${encodeURI(ASCII)}`, secret: 's'.repeat(200) },
  })
  await control.call('POST /tokens', { body: { user_id: info.sellers[0]!.id, application_id: id } })
  await control.call('PUT /applications/{id}/notifications', { path: { id }, body: { callback_url: 'inbox:' } })
}

async function fillQuestions({ control, api }: Stage): Promise<void> {
  const ask = (body: object) =>
    control.call('POST /questions', { body: { item_id: ITEM, text: hostile(2000), ...body } })
  await ask({ answer: { text: hostile(2000) } })
  await ask({ from: null })
  const { id } = await ask({ text: 'short' })
  await api('POST /answers', { question_id: id, text: hostile(2000) })
  await control.call('PATCH /questions/{id}', { path: { id }, body: { flags: { hidden: true, hold: true } } })
}

async function fillSale({ control }: Stage): Promise<void> {
  const { order } = await control.call('POST /orders', { body: { item_id: ITEM } })
  const { id, pack_id, shipping } = order
  await control.call('PATCH /shipments/{id}', { path: { id: shipping.id! }, body: { tracking_number: hostile(100) } })
  await control.call('POST /messages', { body: { pack_id: pack_id ?? id, from: 'buyer', text: hostile(2000) } })
  await control.call('POST /claims', { body: { order_id: id, message: hostile(2000) } })
}

async function fillRequests(stage: Stage): Promise<void> {
  const { api, control, info } = stage
  await api(`GET /questions/1?${encodeURIComponent(hostile(200))}=${encodeURIComponent(hostile(3000))}`)
  await api(`GET /${encodeURIComponent(hostile(2000))}`)
  await api('POST /answers', { [hostile(300)]: hostile(10_000), list: [hostile(3000), { [hostile(99)]: null }] })
  await api('POST /answers', hostile(10_000))
  await sendRaw(stage, { 'user-agent': ASCII + 'x'.repeat(10_000), 'content-type': ASCII, 'x-request-id': ASCII })
  await api('GET /users/me')
  await control.call('PUT /clock', { body: { mode: 'frozen', now: '2026-03-04T00:00:00.000Z' } })
  await api(`GET /questions/search?seller_id=${info.sellers[0]!.id}`)
}

/** `fetch` sends no such headers. */
async function sendRaw({ url, info }: Stage, headers: Record<string, string>): Promise<void> {
  const authorization = `Bearer ${info.sellers[0]!.token}`
  const sent = request(`${url}/answers`, { method: 'POST', headers: { ...headers, authorization } }).end('{')
  const [answer] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
  await once(answer.resume(), 'end')
}

async function fillRest({ control, api }: Stage): Promise<void> {
  const path = `/${hostile(900).replaceAll(/[?#]/g, '')}`
  const body = { [hostile(300)]: hostile(5000), list: [hostile(100)] }
  await control.call('POST /faults', {
    body: { match: { path }, action: { status: 418, body, headers: { 'x-a': ASCII } } },
  })
  await control.call('POST /faults', { body: { match: { path: '/sites' }, action: { drop: true }, times: 1 } })
  await api('GET /sites').catch(() => undefined)
  await control.call('POST /loans', {
    body: { item_id: ITEM, proposal_id: ASCII.repeat(2).slice(0, 100), installments_amount: 1e12 },
  })
  await control.call('PATCH /assumptions/{name}', {
    path: { name: 'contacts.current_bucket' },
    body: { value: 'exclude' },
  })
  await control.call('POST /clock/advance', { body: { by: '1m' }, snapshot: hostile(100) })
}
