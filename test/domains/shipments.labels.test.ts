import { crc32 } from 'node:zlib'
import { eq } from 'drizzle-orm'
import t from 'tap'
import { item as listing } from '../../domains/items/tables.ts'
import { code128 } from '../../domains/shipments/label_pdf.ts'
import { shipment, shipment_step } from '../../domains/shipments/tables.ts'
import { bearer, NOW, type Person, start } from '../support/app.ts'
import { takeOutbox } from '../support/outbox.ts'
import { badRequest, expectAnswer, NO_TOKEN, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, call, control, server } = app
const { createParties, createUser, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

/** A sale with its shipment. */
const sell = async (row: Partial<typeof listing.$inferInsert> = {}) => {
  const parties = await createParties()
  await world.tx(async (q) =>
    q.db
      .update(listing)
      .set({ available_quantity: 10, ...row })
      .where(eq(listing.id, parties.item))
      .run(),
  )
  const { body } = await control('POST /orders', { item_id: parties.item, buyer: parties.buyer.id })
  const { shipping } = (await parties.seller.get(`/orders/${body.order.id}`)).body
  return { ...parties, order: body.order, id: shipping.id as number }
}
const change = (id: number, row: Partial<typeof shipment.$inferInsert>) =>
  world.tx(async (q) => q.db.update(shipment).set(row).where(eq(shipment.id, id)).run())
const setState = (id: number, status: string, substatus: string | null = null) =>
  world.tx(async (q) => {
    q.db.delete(shipment_step).where(eq(shipment_step.shipment_id, id)).run()
    q.db.insert(shipment_step).values({ shipment_id: id, n: 0, status, substatus, at: NOW, is_published: 1 }).run()
  })
const stateOf = async (seller: Person, id: number) => {
  const { status, substatus, date_first_printed } = (await seller.get(`/shipments/${id}`)).body
  return [status, substatus, date_first_printed]
}
const takeEvents = async () =>
  (await takeOutbox(world)).filter(({ topic }) => topic === 'shipments').map(({ resource }) => resource)
const labels = (ids: unknown, more = '') => `/shipment_labels?shipment_ids=${ids}${more}`
/** The bytes that a caller gets. */
const print = async ({ token }: Person, ids: unknown, more = '') => {
  const { statusCode, headers, rawPayload } = await server.inject({ url: labels(ids, more), headers: bearer(token) })
  const { 'content-type': type, 'content-disposition': disposition } = headers
  return { status: statusCode, type, disposition, bytes: rawPayload, text: rawPayload.toString() }
}
/** The lines of each page of a PDF. */
const pagesOf = (text: string) =>
  text
    .split('\nstream\n')
    .slice(1)
    .map((page) => [...page.matchAll(/^\((.*)\) Tj$/gm)].map(([, line]) => line))

t.test('fetching a label prints it [spec: shipments.labels, shipments.labels.file]', async (t) => {
  const { seller, buyer, order, id } = await sell()
  t.strictSame(await stateOf(seller, id), ['ready_to_ship', 'ready_to_print', null])
  await takeEvents()
  const first = await print(seller, id)
  t.strictSame(
    [first.status, first.type, first.disposition],
    [200, 'application/pdf', `attachment; filename=Etiqueta-${id}.pdf`],
  )
  t.match(first.text, /^%PDF-1\.\d\n/)
  t.match(first.text, /MediaBox \[0 0 283\.4646 425\.1969\]/, '100 × 150 mm')
  const { first_name, last_name } = (await buyer.get('/users/me')).body
  const [page, ...others] = pagesOf(first.text)
  t.strictSame(others, [])
  const told = [String(id), 'DROP OFF', `Tracking: MEL${id}FMXDF01`, `Venta ${order.pack_id}`, '1 x Silla']
  for (const line of [...told, `${first_name} ${last_name}`.normalize('NFD').replace(/\p{M}/gu, '')])
    t.ok(page!.includes(line), line)
  t.equal(first.text.match(/ re$/gm)!.length, code128(String(id)).bars.length, 'its bar code')

  t.strictSame(await stateOf(seller, id), ['ready_to_ship', 'printed', '2026-03-07T11:00:00.000-04:00'])
  t.strictSame(await takeEvents(), [`/shipments/${id}`])
  setClock(NOW + 60_000)
  t.ok((await print(seller, `${id},${id}`, '&savePdf=Y')).bytes.equals(first.bytes), 'the same bytes, once')
  t.strictSame(await stateOf(seller, id), ['ready_to_ship', 'printed', '2026-03-07T11:00:00.000-04:00'])
  t.strictSame(await takeEvents(), [], 'it was printed before')

  const { results } = (await control('GET /requests?order=desc&limit=4')).body
  const printed = results.find((one: { path: string }) => one.path === '/shipment_labels' && one)
  t.match(printed, { method: 'GET', response: { status: 200, body: null } })
})

t.test('labels for printers, in a ZIP or not [spec: shipments.zpl]', async (t) => {
  const { seller, id } = await sell()
  const other = await sell()
  await change(other.id, { seller_id: seller.id })
  const zip = await print(seller, `${other.id},${id}`, '&response_type=zpl2')
  t.strictSame([zip.type, zip.disposition], ['application/zip', `attachment; filename=Etiqueta-${other.id}.zip`])
  t.strictSame(await stateOf(seller, id), ['ready_to_ship', 'printed', '2026-03-07T11:00:00.000-04:00'])

  await control('PATCH /assumptions/shipments.zpl', { value: 'text' })
  const { type, disposition, bytes, text } = await print(seller, `${other.id},${id}`, '&response_type=zpl2')
  await control('PATCH /assumptions/shipments.zpl', { value: 'zip' })
  t.strictSame([type, disposition], ['text/plain; charset=utf-8', `attachment; filename=Etiqueta-${other.id}.txt`])
  t.match(text, /^\^XA\n.*\^XZ\n\^XA\n.*\^XZ\n$/s)
  t.strictSame(
    [...text.matchAll(/\^BCN,224,N,N,N\^FD(\d+)\^FS/g)].map(([, code]) => Number(code)),
    [other.id, id],
    'in the order of the ids',
  )
  t.match(text, `^FO48,328^A0N,32^FH_^FDTracking: MEL${id}FMXDF01^FS`)

  const name = 'Etiqueta de envio.txt'
  t.equal(zip.bytes.readUInt32LE(0), 0x04034b50)
  t.equal(zip.bytes.readUInt16LE(8), 0, 'stored')
  t.equal(zip.bytes.readUInt32LE(14), crc32(bytes))
  t.equal(zip.bytes.readUInt32LE(18), bytes.length)
  t.equal(zip.bytes.toString('utf8', 30, 30 + zip.bytes.readUInt16LE(26)), name)
  const data = 30 + name.length
  t.ok(zip.bytes.subarray(data, data + bytes.length).equals(bytes))
  const end = zip.bytes.length - 22
  t.strictSame([zip.bytes.readUInt32LE(end), zip.bytes.readUInt16LE(end + 10)], [0x06054b50, 1])
  const central = zip.bytes.readUInt32LE(end + 16)
  t.strictSame([zip.bytes.readUInt32LE(central), central], [0x02014b50, data + bytes.length])
})

t.test('all labels or none [spec: shipments.labels.refused, shipments.labels.order]', async (t) => {
  const { seller, buyer, id } = await sell()
  const refused = async (problems: [id: unknown, cause: string, text: string, retry?: boolean][]) => {
    const failed_shipments = problems.map(([one, cause, text, retry = false]) => ({
      ...{ shipment_id: String(one), message: `Shipment ${one} ${text}`, cause, retry },
    }))
    const [{ message, cause }] = failed_shipments as [(typeof failed_shipments)[0]]
    const body = { message, error: cause.toLowerCase(), status: 400, cause: [], failed_shipments }
    expectAnswer(t, await seller.get(labels([id, ...problems.map(([one]) => one)])), 400, body, message)
  }
  const parcel = async (row: object = {}, state?: [status: string, substatus?: string]) => {
    const { id } = await sell()
    await change(id, { seller_id: seller.id, ...row })
    if (state) await setState(id, ...state)
    return id
  }
  const CALLER = 'INVALID_SHIPMENT_CALLER'
  const STATUS = 'NOT_PRINTABLE_STATUS'
  const foreign = (await sell()).id
  const shipped = await parcel({}, ['shipped', 'out_for_delivery'])
  await refused([[foreign, CALLER, 'is not printable by caller']])
  await refused([
    [shipped, STATUS, 'status is shipped'],
    [1, CALLER, 'is not printable by caller'],
    ['x', CALLER, 'is not printable by caller'],
    ['9'.repeat(30), CALLER, 'is not printable by caller'],
  ])
  await refused([[await parcel({ mode: 'me1', logistic_type: 'default' }), 'INVALID_SHIPMENT_MODE', 'mode is me1']])
  const full = await parcel({ logistic_type: 'fulfillment' }, ['shipped'])
  await refused([[full, 'INVALID_SHIPMENT_FF_PUBLIC', 'is fulfillment']])
  await refused([
    [await parcel({}, ['handling', 'waiting_for_label_generation']), STATUS, 'status is handling', true],
    [await parcel({}, ['pending', 'buffered']), STATUS, 'status is pending', true],
    [await parcel({}, ['ready_to_ship', 'picked_up']), STATUS, 'status is ready_to_ship and substatus picked_up'],
    [await parcel({}, ['cancelled']), STATUS, 'status is cancelled'],
  ])
  const error = (await buyer.get(labels(id))).body.failed_shipments
  t.match(error, [{ cause: CALLER }], 'the buyer does not send it')
  const back = await parcel({ type: 'return', buyer_id: buyer.id }, ['ready_to_ship', 'ready_to_print'])
  t.equal((await buyer.get(labels(back))).status, 200, 'but sends a return')
  t.strictSame(await stateOf(seller, id), ['ready_to_ship', 'ready_to_print', null], 'none was printed')
})

t.test('takes 1 to 50 ids [spec: shipments.labels.ids]', async (t) => {
  const { seller, id } = await sell()
  const problem = 'must be 1 to 50 shipment identifiers separated by commas'
  for (const ids of ['', ',', Array.from({ length: 51 }, (_, n) => n + 1)])
    t.match(await seller.get(labels(ids)), { status: 400, body: { message: /^shipment_ids: .*must be 1 to 50/ } })
  expectAnswer(
    t,
    await seller.get(labels(Array.from({ length: 51 }, (_, n) => n + 1))),
    400,
    badRequest(`shipment_ids: ${problem}`),
  )
  expectAnswer(t, await seller.get('/shipment_labels'), 400, badRequest(`shipment_ids: is required, ${problem}`))
  const form = badRequest('response_type: must be one of pdf, zpl2')
  expectAnswer(t, await seller.get(labels(id, '&response_type=html')), 400, form)
  t.equal((await print(seller, `${id}${`,${id}`.repeat(60)}`)).status, 200, 'each once')
})

t.test('prints texts that its font does not have', async (t) => {
  const title = `(a\\) ${'😀שלום \u202e\u0007ñandú\r\n'.repeat(8)}^XZ~JA_`.slice(0, 250)
  const { seller, buyer, id } = await sell({ title })
  const name = `Zoë^XA ${'Ñ'.repeat(80)}`
  await control(`PATCH /users/${buyer.id}`, { first_name: name, address: { address: '\u0007😀', city: 'São João' } })
  const { status, text } = await print(seller, id)
  t.equal(status, 200)
  const [lines] = pagesOf(text)
  t.match(lines!.at(-1), /^1 x \\\(a\\\\\\\) nandu nandu/, 'without accents')
  t.ok(
    lines!.every((line) => /^[\x20-\x7e]*$/.test(line!)),
    'ASCII',
  )
  const zpl = await print(seller, id, '&response_type=zpl2')
  t.equal(zpl.status, 200)
  t.match(zpl.text, 'Zoë_5EXA ÑÑÑ')
  t.equal(zpl.text.match(/\^X[AZ]/g)!.length, 2, 'texts give no commands')
})

t.test('bars of Code 128', async (t) => {
  const { bars, modules } = code128('A')
  // Start B, A (33), the check (104 + 33) mod 103 = 34, stop.
  const widths = [...'2112141113231311232331112'].map(Number)
  t.equal(modules, 11 * 3 + 13)
  let at = 0
  const wanted = widths.flatMap((width, n) => {
    const bar = { at, width }
    at += width
    return n % 2 === 0 ? [bar] : []
  })
  t.strictSame(bars, wanted)
  for (let code = 32; code < 127; code++)
    t.equal(code128(String.fromCharCode(code)).modules, 46, 'each sign has 11 modules')
})

t.test('shipping options of a listing [spec: shipments.options]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const url = `/items/${item}/shipping_options`
  const { status, body } = await buyer.get(`${url}?zip_code=1675`)
  t.equal(status, 200)
  const [{ id, option_hash }] = body.options
  t.match(option_hash, /^[0-9a-f]{32}$/)
  const option = {
    id,
    option_hash,
    name: 'Estándar a domicilio',
    currency_id: 'ARS',
    base_cost: 6500,
    cost: 6500,
    list_cost: 6500,
    display: 'recommended',
    shipping_method_id: 73328,
    shipping_method_type: 'standard',
    shipping_option_type: 'address',
    estimated_delivery_time: {
      type: 'known_frame',
      date: '2026-03-11T00:00:00.000-04:00',
      unit: 'hour',
      offset: { date: '2026-03-13T00:00:00.000-04:00', shipping: 48 },
      time_frame: { from: null, to: null },
      pay_before: '2026-03-08T12:00:00.000-04:00',
      shipping: 48,
      handling: 24,
      schedule: null,
    },
    discount: { promoted_amount: 0, rate: 0, type: 'none', show_loyal_benefit: false },
  }
  const answer = {
    destination: {
      zip_code: '1675',
      city: { id: null, name: null },
      state: { id: null, name: null },
      country: { id: 'AR', name: 'Argentina' },
    },
    buyer: { id: 0, loyalty_level: 1, shipping_level: '1' },
    options: [option],
    custom_message: { display_mode: null, reason: '' },
  }
  t.strictSame(body, answer)
  const change = (details: object, more: object = {}) =>
    world.tx(async (q) =>
      q.db
        .update(listing)
        .set({ details: JSON.stringify(details), ...more })
        .where(eq(listing.id, item))
        .run(),
    )
  await change({ shipping: { free_shipping: true, dimensions: '10x10x10,2500' } })
  const free = (await buyer.get(`${url}?city_to=Q08tRENCb2dvdA`)).body
  t.match(free.destination, { zip_code: null, city: { id: 'Q08tRENCb2dvdA', name: null } })
  const discount = { promoted_amount: 9100, rate: 1, type: 'free', show_loyal_benefit: false }
  t.match(free.options, [{ base_cost: 9100, cost: 0, list_cost: 9100, discount }])

  const costs = `/users/${seller.id}/shipping_options/free`
  const all_country = { list_cost: 9100, currency_id: 'ARS', billable_weight: 2500 }
  expectAnswer(t, await seller.get(`${costs}?item_id=${item}&verbose=true`), 200, { coverage: { all_country } })
  const heavy = await seller.get(`${costs}?item_id=${item}&dimensions=9x17x22,462`)
  const light = { list_cost: 6500, currency_id: 'ARS', billable_weight: 462 }
  expectAnswer(t, heavy, 200, { coverage: { all_country: light } })
  const paid = await seller.get(`${costs}?dimensions=9x17x22,462&free_shipping=False`)
  expectAnswer(t, paid, 200, { coverage: { all_country: { ...light, list_cost: 0 } } })

  await change({}, { shipping_mode: 'custom' })
  expectAnswer(t, await buyer.get(`${url}?zip_code=1675`), 200, { ...answer, options: [] })
})

t.test('refuses shipping options [spec: shipments.options.order]', async (t) => {
  const { seller, item } = await createParties()
  const stranger = await createUser()
  const refusal = (status: number, error: string, message: string) => ({ message, error, status, cause: [] })
  const noZip = refusal(400, 'invalid_zip_code', 'invalid_zip_code')
  const noSeller = refusal(400, 'bad_request', 'seller_id must have a value!')
  const ofWhat = refusal(400, 'bad_request', 'item_id: is required, or dimensions')
  const integers = refusal(400, 'bad_request', 'dimensions: must be HxWxL,grams with integers')
  const free = (id: unknown, query: string) => `/users/${id}/shipping_options/free?${query}`
  for (const [url, status, body] of [
    [`/items/MLA1/shipping_options`, 400, noZip],
    [`/items/${item}/shipping_options?zip_code=%C3%B1`, 400, noZip],
    [`/items/${item}/shipping_options?zip_code=12&city_to=x`, 400, noZip],
    ['/items/MLA1/shipping_options?zip_code=1675', 403, refusal(403, 'forbidden', 'items API error')],
    ['/items/none/shipping_options?zip_code=1675', 403, refusal(403, 'forbidden', 'items API error')],
    [free(1, ''), 400, ofWhat],
    [free(1, 'dimensions=1.5x2x3,4'), 400, integers],
    [free(1, `item_id=${item}`), 400, noSeller],
    [free('none', `item_id=${item}`), 400, noSeller],
    [free(seller.id, 'item_id=MLA1'), 404, refusal(404, 'not_found', 'Item with id MLA1 not found')],
  ] as const)
    expectAnswer(t, await stranger.get(url), status, body, url)
  for (const url of [`/items/${item}/shipping_options?zip_code=1675`, free(seller.id, 'dimensions=1x1x1,1')])
    expectAnswer(t, await call(url), 401, NO_TOKEN)
})
