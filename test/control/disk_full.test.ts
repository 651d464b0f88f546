import { sql } from 'drizzle-orm'
import t from 'tap'
import type { World } from '../../db/world.ts'
import { start } from '../support/app.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const notices: string[] = []
let isDiskFull = false
const app = await start(t, {
  onNotice: (text) => notices.push(text),
  async probeDisk() {
    if (isDiskFull) throw new Error('ENOSPC: no space left on device, write')
  },
})
const { call, control, faults, seller, buyer } = app

/** Lets no database file of the world grow, as a full disk does. */
const limitPages = (world: World, pages: number) =>
  world.tx(async (q) => void q.db.run(sql.raw(`PRAGMA max_page_count = ${pages}`)))
async function fillDisk(world = app.world) {
  isDiskFull = true
  await limitPages(world, 1)
}
async function freeDisk(world = app.world) {
  isDiskFull = false
  await limitPages(world, 1_000_000)
}

const MESSAGE = 'The disk of the server is full: nothing was stored. Try again when it has space.'
const FULL = { message: MESSAGE, error: 'insufficient_storage', status: 507, cause: [] }
const NOT_READY = {
  message: 'The disk is full: writes get 507 until there is space. Reads are answered.',
  error: 'disk_full',
  status: 503,
  cause: [],
}

const ask = (text: string) => buyer.post('/questions', { item_id: 'MLA1400000001', text })
/** Asks long questions, which need new pages, until one is rejected; returns its answer. */
async function askUntilRejected() {
  for (let n = 0; n < 100; n++) {
    const answer = await ask(`${n} ${'x'.repeat(1900)}`)
    if (answer.status !== 201) return answer
  }
  throw new Error('the disk is not full')
}
const rejectedWrites = async () => Number(/^mercadito_disk_full_total (\d+)$/m.exec((await call('/metrics')).text)?.[1])
const total = async () => (await seller.get(`/questions/search?item_id=MLA1400000001&limit=1`)).body.total

t.test('a write that does not fit gets 507 and changes nothing; later ones fit again', async (t) => {
  t.equal(await rejectedWrites(), 0)
  await fillDisk()
  const { status, body, headers } = await askUntilRejected()
  t.strictSame([status, body, headers['content-type']], [507, FULL, 'application/json; charset=utf-8'])
  const before = await total()
  const rejections = await rejectedWrites()
  t.ok(rejections >= 1)
  const batch = await Promise.all(Array.from({ length: 5 }, (_, n) => ask(`${n} ${'y'.repeat(1900)}`)))
  t.strictSame(
    batch.map(({ status }) => status),
    [507, 507, 507, 507, 507],
  )
  t.equal(await rejectedWrites(), rejections + 5)
  t.equal(await total(), before, 'reads are answered')
  t.strictSame(await call('/readyz').then(({ status, body, headers }) => [status, body, headers['retry-after']]), [
    503,
    NOT_READY,
    '1',
  ])
  t.equal((await call('/livez')).status, 200)

  await freeDisk()
  t.strictSame((await call('/readyz')).body, { status: 'ready' })
  t.equal((await ask('¿Ahora sí?')).status, 201)
  t.equal(await total(), before + 1)
  t.strictSame(notices.splice(0), [
    'the disk is full: writes get 507 until there is space; answered writes are not lost',
    'the disk has space again',
  ])
  t.strictSame(faults, [], 'not logged as unexpected errors')
})

t.test('a script gets the answer in its callback', async (t) => {
  await fillDisk()
  await askUntilRejected()
  const body = encodeURIComponent(JSON.stringify({ item_id: 'MLA1400000001', text: 'z'.repeat(1900) }))
  const script = await call(`/questions?callback=f&_method=POST&access_token=${buyer.token}&_body=${body}`)
  t.equal(script.status, 200)
  t.match(script.text, /^f\(\[507,/)
  t.equal(script.text.slice(script.text.indexOf(',{"message"') + 1), `${JSON.stringify(FULL)}])`)
  await freeDisk()
})

t.test('notifications continue by themselves when there is space', async (t) => {
  const { url, received } = await receiver(t)
  t.equal(
    (
      await control(`PUT /applications/${app.application.id}/notifications`, {
        callback_url: url,
        topics: ['questions'],
      })
    ).status,
    200,
  )
  const { tx } = app.world
  let commits = 0
  // The question fits, its notification's claim does not.
  app.world.tx = (unit) =>
    commits++ === 0 ? tx(unit) : Promise.reject(Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }))
  const rejections = await rejectedWrites()
  t.equal((await ask('¿Hay stock?')).status, 201)
  await until('a rejected write', async () => (await rejectedWrites()) > rejections)
  t.strictSame(received, [])
  app.world.tx = tx
  // The seller’s and the buyer’s: the next test has another receiver.
  await until('two notifications', () => received.length === 2)
  t.equal(received[0]?.topic, 'questions')
})

t.test('a notification whose result did not fit is not sent again', async (t) => {
  const { url, received } = await receiver(t)
  await control(`PUT /applications/${app.application.id}/notifications`, { callback_url: url, topics: ['questions'] })
  const { tx } = app.world
  // The question and the claim fit, the results of the attempts do not.
  app.world.tx = (unit) =>
    received.length === 0 ? tx(unit) : Promise.reject(Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }))
  const rejections = await rejectedWrites()
  t.equal((await ask('¿Envían hoy?')).status, 201)
  await until('a rejected write', async () => (await rejectedWrites()) > rejections)
  app.world.tx = tx
  // The seller and the buyer.
  const delivered = async () => {
    const { results } = (await control('GET /deliveries?status=delivered&limit=10')).body
    return results.filter(({ resource }: { resource: string }) => resource === received[0]?.resource)
  }
  await until('two deliveries', async () => (await delivered()).length === 2)
  t.match(await delivered(), [{ attempts: 1 }, { attempts: 1 }])
  t.strictSame(received.map(({ user_id }) => user_id).sort(), [seller.id, buyer.id].sort())
})
