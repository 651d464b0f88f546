import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type Exchange, readable } from '../exchange.ts'
import { withoutDurations, withoutPorts, withoutVersion } from '../normal.ts'
import { serverOf } from '../server.ts'

/** A receiver that collects requests, and answers with a chosen status. */
async function receiver() {
  const received: string[] = []
  let status = 200
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = (await request.setEncoding('utf8').toArray()).join('')
    const { method, url, httpVersion, rawHeaders } = request
    const headers = rawHeaders.flatMap((name, n) => (n % 2 ? [] : [`${name}: ${rawHeaders[n + 1]}`]))
    received.push([`${method} ${url} HTTP/${httpVersion}`, ...headers, '', body].join('\n'))
    // Missed feeds contain the answer with its headers.
    response.sendDate = false
    response.writeHead(status, { 'content-type': 'text/plain', 'x-receiver': 'yes' }).end('received')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hook?a=b`,
    answerWith(next: number) {
      status = next
    },
    /** Returns the requests since the last call, sorted, because concurrent ones arrive in any order. */
    takeRequests: () => received.splice(0).map(withoutPorts).map(withoutVersion).sort().join('\n\n'),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Requests that a receiver gets, for all topics, with retries and missed feeds. */
export async function webhooks(): Promise<Exchange[]> {
  const { app, close } = await serverOf()
  const hook = await receiver()
  const all: Exchange[] = []
  const add = (call: string, answer: string) =>
    all.push({ call, body: readable(withoutDurations(withoutPorts(answer))) })
  try {
    const { control } = app
    const [seller, buyer] = [app.sellers[0]!, app.buyers[0]!]
    const item = 'MLA1400000001'
    const settled = async (name: string) => {
      const { status } = await control('POST /settle')
      add(name, `settle ${status}\n${hook.takeRequests()}`)
    }
    const lookAtAll = async (name: string) => {
      add(`deliveries ${name}`, (await control('GET /deliveries?limit=12')).text)
      add(`missed feeds ${name}`, (await seller.get(`/missed_feeds?app_id=${app.application.id}&limit=5`)).text)
    }
    const set = await control(`PUT /applications/${app.application.id}/notifications`, {
      callback_url: hook.url,
    })
    add('set', set.text)

    const asked = await buyer.post('/questions', { item_id: item, text: '¿Hay? 😀 \u2028' })
    await settled('a question is asked')
    await seller.post('/answers', { question_id: asked.body.id, text: 'Sí' })
    await settled('a question is answered')
    await control(`PATCH /questions/${asked.body.id}`, { flags: { hold: true } })
    await settled('a question is held')
    await control(`PATCH /questions/${asked.body.id}`, { status: 'BANNED' })
    await settled('a question is banned')
    const second = await buyer.post('/questions', { item_id: item, text: 'otra' })
    await seller.delete(`/questions/${second.body.id}`)
    await settled('a question is asked and deleted')
    for (const status of ['paused', 'active']) await control(`PATCH /items/${item}`, { status })
    await settled('a listing is paused and active again')
    await seller.get(`/sites/MLA/shipping/selfservice/items/MLA1400000009`, { method: 'POST' })
    await settled('a listing is offered with Flex')
    const lead = await control('POST /loans', { item_id: item })
    await settled('a lead comes')
    await control(`PATCH /loans/${lead.body.id}`, { status: 'approved' })
    await settled('a lead is approved')
    const shipment = await control('POST /shipments', { seller_id: seller.id, driver_id: 81_234_567 })
    await control(`PATCH /shipments/${shipment.body.id}`, { driver_id: 99 })
    await settled('a driver is assigned and changed')
    await control('POST /simulate', { days: 1, seed: 7, user_id: seller.id, profile: 'quiet' })
    await settled('a day is simulated')
    await lookAtAll('after what arrived')

    for (const [n, status] of [500, 201, 302, 404].entries()) {
      hook.answerWith(status)
      await buyer.post('/questions', { item_id: item, text: `falla ${n}` })
      await settled(`the receiver answers ${status}`)
      await control('POST /clock/advance', { by: 'PT30S' })
      await settled(`half a minute after ${status}`)
    }
    for (const by of ['PT1M', 'PT5M', 'PT20M', 'PT1H']) {
      await control('POST /clock/advance', { by })
      await settled(`after ${by}`)
    }
    await lookAtAll('after what was missed')
    for (let n = 0; n < 6; n++) await buyer.post('/questions', { item_id: item, text: `más ${n}` })
    await control('POST /clock/advance', { by: 'PT2H' })
    await settled('six more that are missed')
    hook.answerWith(200)
    await buyer.post('/questions', { item_id: item, text: 'al fin' })
    await settled('it answers again')
    await control('POST /deliveries/1/resend')
    await settled('one is sent again')
    const shown = await control('GET /deliveries/1')
    add('a delivery with its attempts', shown.text)
    add('setting', (await control(`GET /applications/${app.application.id}/notifications`)).text)
    await lookAtAll('in the end')
    add('faults of the server', app.faults.map(({ message }) => message).join('\n'))
    return all
  } finally {
    await close()
    hook.close()
  }
}
