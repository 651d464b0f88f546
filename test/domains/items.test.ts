import { eq } from 'drizzle-orm'
import t, { type Test } from 'tap'
import type { ItemDetails } from '../../domains/items/details.ts'
import type { Item } from '../../domains/items/schemas.ts'
import { item } from '../../domains/items/tables.ts'
import { NOW, start } from '../support/app.ts'
import { plainItem } from '../support/items.ts'
import { expectAnswer, questionFixtures } from '../support/questions.ts'

// What a listing answers [spec: items.read].

const app = await start(t)
const { world, call, control } = app
const { createUser, createListing, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const DAY = 86_400_000
const DATE = '2026-03-07T15:00:00.000Z'

/** Replaces columns of a listing; `details` as an object. */
const store = (
  id: string,
  { details = {}, ...columns }: Omit<Partial<typeof item.$inferInsert>, 'details'> & { details?: ItemDetails },
) =>
  world.tx(async (q) =>
    q.db
      .update(item)
      .set({ ...columns, details: JSON.stringify(details) })
      .where(eq(item.id, id))
      .run(),
  )
const assume = async (t: Test, name: string, value: string, usual: string) => {
  t.equal((await control(`PATCH /assumptions/${name}`, { value })).status, 200)
  t.teardown(() => control(`PATCH /assumptions/${name}`, { value: usual }))
}

t.test('answers 52 members of a listing of which nothing was said', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const whole = plainItem({ id, title: 'Silla', seller_id: seller.id, price: 1000, date_created: DATE })
  const answer = await call(`/items/${id}`)
  expectAnswer(t, answer, 200, whole)
  t.equal(Object.keys(answer.body).length, 52)
  t.strictSame((await call(`/items?ids=${id},MLA5`)).body[0], { code: 200, body: whole })
})

t.test('shows quantities to the owner only where a world says so', async (t) => {
  const seller = await createUser()
  const other = await createUser()
  const id = await createListing(seller)
  const variation = { id: 7, price: 5, attribute_combinations: [], picture_ids: [] }
  await store(id, { details: { variations: [{ ...variation, available_quantity: 2, sold_quantity: 1 }] } })
  await assume(t, 'items.private_quantities', 'owner_only', 'shown')
  const hidden = [undefined, undefined, undefined, undefined, undefined]
  const quantities = ({ initial_quantity, available_quantity, sold_quantity, variations: [one] }: Item) => [
    ...[initial_quantity, available_quantity, sold_quantity, one!.available_quantity, one!.sold_quantity],
  ]
  const listing = `/items/${id}`
  t.strictSame(quantities((await seller.get(listing)).body), [1, 1, 0, 2, 1])
  t.strictSame(quantities((await other.get(listing)).body), hidden)
  const { body, text } = await call(listing)
  t.strictSame(quantities(body), hidden)
  t.notMatch(text, 'quantity')
  t.equal(Object.keys(body).length, 49)
  t.strictSame(quantities((await seller.get(`/items?ids=${id}`)).body[0].body), [1, 1, 0, 2, 1])
  t.strictSame(quantities((await call(`/items?ids=${id}`)).body[0].body), hidden)
  t.strictSame(quantities((await control(`GET ${listing}`)).body), [1, 1, 0, 2, 1])
})

t.test('stops a new article after twenty years where a world says so, and the search follows', async (t) => {
  const seller = await createUser()
  const ids = [await createListing(seller), await createListing(seller), await createListing(seller)]
  const [first, second, third] = ids as [string, string, string]
  for (const [n, id] of ids.entries()) await store(id, { date_created: NOW + n * DAY })
  await store(second, { date_created: NOW + DAY, details: { condition: 'used' } })
  const stops = async () =>
    (await call(`/items?ids=${ids}&attributes=stop_time,end_time`)).body.map(({ body }: { body: Item }) => {
      t.equal(body.end_time, body.stop_time)
      return body.stop_time
    })
  const found = async (query: string) => (await seller.get(`/users/${seller.id}/items/search?${query}`)).body
  t.strictSame(await stops(), ['2026-05-06T15:00:00.000Z', '2026-05-07T15:00:00.000Z', '2026-05-08T15:00:00.000Z'])
  t.strictSame((await found('orders=stop_time_asc')).results, ids)
  await assume(t, 'items.search.stop_time', '20 years', '60 days')
  t.strictSame(await stops(), ['2046-03-07T15:00:00.000Z', '2026-05-07T15:00:00.000Z', '2046-03-09T15:00:00.000Z'])
  t.strictSame((await found('orders=stop_time_asc')).results, [second, first, third])
  t.strictSame((await found('orders=stop_time_desc')).results, [third, first, second])
  t.strictSame((await found('orders=start_time_asc')).results, ids)
  const scanned: string[] = []
  let page = await found('search_type=scan&limit=1')
  for (; page.results.length > 0; page = await found(`search_type=scan&limit=1&scroll_id=${page.scroll_id}`))
    scanned.push(...page.results)
  t.strictSame(scanned, [second, first, third], 'a scan, too')
})

t.test('a promotion ends by the clock of the world', async (t) => {
  const seller = await createUser()
  const id = await createListing(seller)
  const variation = { id: 7, price: 1000, attribute_combinations: [], picture_ids: [] }
  const variations = [{ ...variation, available_quantity: 1, sold_quantity: 0 }]
  await store(id, { price: 800, promotion_until: NOW + DAY, details: { original_price: 1000, variations } })
  const prices = async () => {
    const { price, base_price, original_price, variations } = (await call(`/items/${id}`)).body
    return [price, base_price, original_price, variations[0].price]
  }
  t.strictSame(await prices(), [800, 1000, 1000, 800])
  setClock(NOW + DAY - 1)
  t.strictSame(await prices(), [800, 1000, 1000, 800])
  setClock(NOW + DAY)
  t.strictSame(await prices(), [1000, 1000, null, 1000])
  setClock(NOW)
  t.strictSame(await prices(), [800, 1000, 1000, 800], 'and begins again with it')
})
