import { deliveries } from '../recorded/programs/control.ts'
import { flex } from '../recorded/programs/flex.ts'
import * as journeys from '../recorded/programs/journeys.ts'
import type { TestApp } from './app.ts'

type Program = (app: TestApp) => Promise<unknown>

/** The users of two sites are enough: all sites behave alike. */
const onTwoSites =
  (journey: Program): Program =>
  (app) =>
    journey({ ...app, sellers: app.sellers.slice(0, 2), buyers: app.buyers.slice(0, 4) })

/** Starts the server for programs that need an address. */
const withUrl =
  (program: (app: TestApp, url: string) => Promise<unknown>): Program =>
  async (app) => {
    await app.listenOn({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as { port: number }
    await program(app, `http://127.0.0.1:${port}`)
  }

const ITEM = 'MLA1400000001'
/** The example answers every open question; a second run has nothing to do, a third one fails. */
const example: Program = withUrl(async ({ control, sellers, buyers }, url) => {
  const { answerAll } = await import(String(new URL('../../examples/node/answers.js', import.meta.url)))
  const [seller] = sellers as [(typeof sellers)[0]]
  for (const text of ['¿Hay stock?', '¿Hacen envíos?'])
    await control('POST /questions', { item_id: ITEM, from: buyers[0]!.id, text })
  for (let n = 0; n < 2; n++) await answerAll(url, seller.token, '¡Hola! Sí.')
  await control('POST /questions', { item_id: ITEM, from: buyers[1]!.id, text: '¿Y hoy?' })
  await control('POST /faults', { match: { path: '/answers' }, action: { status: 500 } })
  await answerAll(url, seller.token, 'Sí').catch(() => {})
})

/** Control calls that change what answers show. */
const control: Program = async ({ control, call, sellers, buyers }) => {
  const [seller, buyer] = [sellers[0]!, buyers[0]!]
  const look = async () => {
    await call(`/items/${ITEM}`)
    await seller.get('/questions/search?limit=5')
    await call(`/items/${ITEM}/contacts/phone_views/time_window?last=3&unit=day`)
  }
  await look()
  await control('POST /faults', { match: { path: '/currencies' }, action: { status: 503 }, times: 1 })
  await control('POST /faults', { match: { path: '/items/*' }, action: { rate_limit: { limit: 2, window: 60 } } })
  await control('POST /faults', { match: { user: buyer.id }, action: { status: 500 }, probability: 0.5, seed: 3 })
  for (let n = 0; n < 6; n++) for (const url of ['/currencies', '/users/me', `/items/${ITEM}`]) await buyer.get(url)
  await control('DELETE /faults')
  await control('PATCH /assumptions/contacts.auth', { value: 'required' })
  await control('POST /contacts', { kind: 'phone_view', item_id: ITEM, count: 20 })
  await look()
  await control('POST /snapshots', { name: 'a' })
  const asked = await control('POST /questions', { item_id: ITEM, text: '¿Hay?' })
  await control(`PATCH /questions/${asked.body.id}`, { status: 'BANNED' })
  await control(`PATCH /items/${ITEM}`, { status: 'paused', price: 7 })
  await control('POST /clock/advance', { by: '26h' })
  await look()
  await control('POST /snapshots/a/restore')
  await look()
  const { body: fork } = await control('POST /worlds', { from: 1 })
  await call({ url: '/questions/search?limit=2', headers: { authorization: `Bearer ${fork.sellers[0].token}` } })
  await control('POST /reset')
  await look()
}

/** The programs whose calls are recorded and replayed: those of the recorded answers, and an example. */
export const PROGRAMS: Record<string, Program> = {
  contacts: onTwoSites(journeys.contacts),
  questions: onTwoSites(journeys.questions),
  flex: onTwoSites(flex),
  credits: onTwoSites(journeys.credits),
  oauth: onTwoSites(journeys.oauth),
  items: onTwoSites(journeys.items),
  control,
  deliveries: onTwoSites(deliveries),
  example,
}
