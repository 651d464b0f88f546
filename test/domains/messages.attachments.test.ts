import t from 'tap'
import { message_attachment } from '../../domains/messages/tables.ts'
import { shipment } from '../../domains/shipments/tables.ts'
import { HOUR, NOW, type Person, start } from '../support/app.ts'
import { MULTIPART_TYPE, multipart, PNG } from '../support/multipart.ts'
import { badRequest, errorBody, expectAnswer, notFound, questionFixtures } from '../support/questions.ts'

const app = await start(t)
const { world, call, control, application } = app
const { createParties, createUser, setClock } = questionFixtures(app)
t.beforeEach(() => setClock(NOW))

const MEGABYTE = 1024 * 1024
const AT_NOW = '2026-03-07T15:00:00.000Z'
const forbidden = (message: string) => errorBody(403, 'forbidden', message)

async function createSale() {
  const parties = await createParties()
  const { body } = await control('POST /orders', { item_id: parties.item, buyer: parties.buyer.id })
  const pack = body.pack.id as number
  return { ...parties, pack, shipment_id: body.order.shipping.id as number }
}
const upload = (who: Person, payload: Buffer, query = '?tag=post_sale&site_id=MLA') =>
  call({
    ...{ method: 'POST', url: `/messages/attachments${query}`, payload },
    headers: { authorization: `Bearer ${who.token}`, 'content-type': MULTIPART_TYPE },
  })
const png = (filename = 'recibo.png', bytes = PNG.length) => multipart(PNG, { filename, bytes })
const sendTo = (who: Person, { buyer, pack }: { buyer: Person; pack: number }, attachments: unknown) =>
  who.post(`/messages/packs/${pack}/sellers/${who.id}?tag=post_sale`, {
    ...{ from: { user_id: who.id }, to: { user_id: buyer.id }, text: 'Va el recibo.', attachments },
  })
const GONE = errorBody(422, 'unprocessable_entity', 'Attachment key is invalid or not found')

t.test('a file is uploaded, sent and downloaded [spec: messages.attachments, messages.attachments.read]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, pack } = sale
  await control('POST /messages', { pack_id: pack, from: 'buyer', text: '¿Me pasás el recibo?' })
  const { status, body } = await upload(seller, png())
  t.equal(status, 201)
  t.match(body, { id: new RegExp(`^${seller.id}_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\.png$`) })
  t.strictSame(Object.keys(body), ['id'])
  const url = `/messages/attachments/${body.id}?tag=post_sale&site_id=MLA`
  expectAnswer(t, await buyer.get(url), 404, notFound(`Attachment with id ${body.id} not found`))
  const sent = await sendTo(seller, sale, [body.id])
  t.equal(sent.status, 201)
  t.strictSame(sent.body.message_attachments, [
    {
      ...{ filename: body.id, original_filename: 'recibo.png', type: 'image/png', size: PNG.length },
      ...{ potential_security_threat: false, creation_date: AT_NOW },
    },
  ])
  for (const who of [seller, buyer]) {
    const answer = await app.server.inject({ url, headers: { authorization: `Bearer ${who.token}` } })
    t.equal(answer.statusCode, 200)
    t.ok(answer.rawPayload.equals(PNG), 'the same bytes')
    t.match(answer.headers, {
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="${body.id}"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    })
  }
  expectAnswer(t, await (await createUser()).get(url), 404, notFound(`Attachment with id ${body.id} not found`))
})

t.test('refused uploads [spec: messages.attachments.order]', async (t) => {
  const { seller } = await createSale()
  const large = png('recibo.png', 5 * MEGABYTE + 1)
  const name = `${'a'.repeat(197)}.png`
  const refusals: [name: string, payload: Buffer, query: string, message: string][] = [
    ['no site', Buffer.alloc(0), '?tag=post_sale', "The queryparam 'site_id' is required"],
    ['another site', Buffer.alloc(0), '?site_id=XYZ', "Invalid site_id: 'XYZ' is not a recognized site"],
    ['no file', Buffer.from('x'), '?site_id=MLA', 'File attached is empty'],
    ['another part', multipart(PNG, { name: 'photo' }), '?site_id=MLA', 'File attached is empty'],
    ['an empty file', multipart(Buffer.alloc(0)), '?site_id=MLA', 'File attached is empty'],
    ['a path', png('../x.gif'), '?site_id=MLA', 'File name cannot include characters like /, \\'],
    ['a long name', png(name), '?site_id=MLA', 'The original_filename exceeded 200 character limit'],
    ['another type', png('x.svg'), '?site_id=MLA', 'The file must be a jpg, png, pdf or txt'],
    ['a large file', large, '?site_id=MLA', 'File attachment is bigger than 5 Mb.'],
  ]
  for (const [name, payload, query, message] of refusals)
    await t.test(name, async (t) => expectAnswer(t, await upload(seller, payload, query), 400, badRequest(message)))
  for (const filename of ['a.JPG', 'b.jpeg', 'c.pdf', 'd.txt', name.slice(1)])
    t.equal((await upload(seller, png(filename, 5 * MEGABYTE))).status, 201, filename)
})

t.test('a file that nobody sends goes after 48 hours [spec: messages.send.attachments]', async (t) => {
  const sale = await createSale()
  const { seller, pack } = sale
  await control('POST /messages', { pack_id: pack, from: 'buyer', text: '¿Me pasás el recibo?' })
  const ids: string[] = []
  for (const name of ['a.txt', 'b.txt']) ids.push((await upload(seller, png(name))).body.id)
  const [sent, unsent] = ids as [string, string]
  expectAnswer(t, await sendTo(seller, sale, [sent, 'x']), 422, GONE)
  for (const attachments of [[sent], null]) t.equal((await sendTo(seller, sale, attachments)).status, 201)
  const many = Array(26).fill(sent)
  const tooMany = badRequest('The message exceeds the allowed number of attachments: 25')
  expectAnswer(t, await sendTo(seller, sale, many), 400, tooMany)
  expectAnswer(t, await sendTo(sale.buyer, { ...sale, buyer: seller }, [sent]), 404, {
    ...notFound(`The pack with id: ${pack} could not be retrieved from storage`),
  })
  setClock(NOW + 48 * HOUR)
  expectAnswer(t, await sendTo(seller, sale, [unsent]), 422, GONE)
  t.equal((await seller.get(`/messages/attachments/${unsent}`)).status, 404)
  t.equal((await seller.get(`/messages/attachments/${sent}`)).status, 200)
  const stored = () => world.read.db.select({ id: message_attachment.id }).from(message_attachment).all()
  t.ok(stored().some(({ id }) => id === unsent))
  await upload(seller, png())
  t.notOk(
    stored().some(({ id }) => id === unsent),
    'the next upload deletes it',
  )
  t.ok(stored().some(({ id }) => id === sent))
  setClock(NOW)
})

t.test('a world keeps a hundred megabytes [spec: messages.attachments.room]', async (t) => {
  const { seller } = await createSale()
  const row = { user_id: seller.id, filename: 'a.txt', type: 'text/plain', date_created: NOW, bytes: Buffer.alloc(0) }
  await world.tx(async (q) =>
    q.db
      .insert(message_attachment)
      .values({ ...row, id: 'x', size: 100 * MEGABYTE })
      .run(),
  )
  const { status, body } = await upload(seller, png())
  t.strictSame([status, body.error], [507, 'insufficient_storage'])
  await world.tx(async (q) => q.db.delete(message_attachment).run())
  t.equal((await upload(seller, png())).status, 201)
})

const option = (id: string, cap_available: number, templates: object[] | null = null) => ({
  id,
  internal_description: '',
  enabled: true,
  type: templates ? 'TEMPLATE' : 'FREE_TEXT',
  templates,
  actionable: true,
  char_limit: templates ? null : 350,
  child_options: null,
  cap_available,
})
const template = (name: string, vars: object[] | null = null) => [{ id: `TEMPLATE___${name}___1`, vars }]
const VARS = ['INIT', 'LIMIT'].map((name) => `TEMPLATE___DELIVERY_PROMISE___1___VAR___${name}`)

t.test('a seller begins with a motive [spec: messages.guide, messages.guide.send]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, pack, shipment_id } = sale
  const url = `/messages/action_guide/packs/${pack}`
  const { status, body } = await seller.get(`${url}?tag=post_sale`)
  t.equal(status, 200)
  const plain = body.options.map((one: object) => ({ ...one, internal_description: '' }))
  const withoutFlex = [
    option('REQUEST_VARIANTS', 1, template('REQUEST_VARIANTS')),
    option('REQUEST_BILLING_INFO', 1, template('REQUEST_BILLING_INFO')),
    option('SEND_INVOICE_LINK', 1),
    option('OTHER', 1),
  ]
  t.strictSame(plain, withoutFlex)
  await world.tx(async (q) => q.db.update(shipment).set({ logistic_type: 'self_service' }).run())
  const flex = (await seller.get(url)).body.options[3]
  const vars = VARS.map((id) => ({ id, type: 'NUMBER' }))
  t.strictSame({ ...flex, internal_description: '' }, option('DELIVERY_PROMISE', 1, template('DELIVERY_PROMISE', vars)))
  t.ok(shipment_id)
  const sent = await seller.post(`${url}/option?tag=post_sale`, { option_id: 'REQUEST_VARIANTS' })
  t.equal(sent.status, 201)
  t.strictSame([sent.body.from, sent.body.to, sent.body.client_id], [undefined, { user_id: buyer.id }, application.id])
  t.equal(sent.body.text, 'Hola, ¿nos confirmas las características del producto que compraste? Así podemos enviarlo.')
  t.equal(sent.body.conversation_first_message, true)
  const values = VARS.map((id, n) => ({ id, value: 12 + n }))
  const promise = { option_id: 'DELIVERY_PROMISE', template_id: 'TEMPLATE___DELIVERY_PROMISE___1', vars: values }
  t.equal(
    (await seller.post(`${url}/option`, promise)).body.text,
    'Hola, entregaremos tu compra hoy entre las 12 y las 13 h.',
  )
  expectAnswer(t, await seller.get(`${url}/caps_available`), 200, [
    { option_id: 'REQUEST_VARIANTS', cap_available: 0 },
    { option_id: 'REQUEST_BILLING_INFO', cap_available: 1 },
    { option_id: 'SEND_INVOICE_LINK', cap_available: 1 },
    { option_id: 'DELIVERY_PROMISE', cap_available: 0 },
    { option_id: 'OTHER', cap_available: 1 },
  ])
  t.equal((await sendTo(seller, sale, undefined)).status, 201, 'the conversation is open')
})

t.test('refused motives [spec: messages.guide.order]', async (t) => {
  const sale = await createSale()
  const { seller, buyer, pack } = sale
  const url = `/messages/action_guide/packs/${pack}`
  const foreign = forbidden(`You are not allowed to access the information of the pack ${pack}`)
  const other = { option_id: 'OTHER', text: 'Hola.' }
  const refusals: [name: string, body: unknown, status: number, error: object, who?: Person][] = [
    ['no JSON', 'x', 400, badRequest('A JSON body is required'), buyer],
    ['the buyer', { option_id: 'x' }, 403, foreign, buyer],
    ['no motive', {}, 404, notFound('The option selected is not valid')],
    ['one of Flex', { option_id: 'DELIVERY_PROMISE' }, 404, notFound('The option selected is not valid')],
    [
      'another template',
      { option_id: 'REQUEST_VARIANTS', template_id: 'x' },
      400,
      badRequest('The template x is invalid'),
    ],
    ['no text', { option_id: 'OTHER' }, 400, errorBody(400, 'limit_exceeded', 'The text is invalid')],
    ['a long text', { ...other, text: 'a'.repeat(351) }, 400, errorBody(400, 'limit_exceeded', 'The text is invalid')],
    ['Greek', { ...other, text: 'Ω' }, 400, badRequest('The text has character/s that is/are not supported.')],
  ]
  for (const [name, body, status, error, who = seller] of refusals)
    await t.test(name, async (t) => expectAnswer(t, await who.post(`${url}/option`, body), status, error))
  t.equal((await seller.post(`${url}/option`, other)).status, 201)
  const used = errorBody(403, 'bad_request', 'You are not allowed to execute the option OTHER again')
  expectAnswer(t, await seller.post(`${url}/option`, other), 403, used)
  await control('POST /messages', { pack_id: pack, from: 'buyer', text: 'Azul.' })
  const open = forbidden('This package has the conversation blocked, please check blocked messages')
  for (const path of ['', '/caps_available']) expectAnswer(t, await seller.get(url + path), 403, open)
  expectAnswer(t, await seller.post(`${url}/option`, other), 403, open)
  await control(`POST /conversations/${pack}/block`, { substatus: 'blocked_by_buyer' })
  expectAnswer(t, await seller.post(`${url}/option`, other), 403, forbidden('The conversation is blocked'))
  expectAnswer(t, await buyer.get(url), 403, foreign)
})

t.test('the texts of templates are in the language of the site', async (t) => {
  const brazil = app.sellers[1]!
  t.equal(brazil.site_id, 'MLB')
  const items = await control(`GET /items?seller_id=${brazil.id}&status=active&limit=100`)
  const item = items.body.results.find((one: { available_quantity: number }) => one.available_quantity > 0)
  const { body } = await control('POST /orders', { item_id: item.id })
  const sent = await brazil.post(`/messages/action_guide/packs/${body.pack.id}/option`, {
    option_id: 'REQUEST_VARIANTS',
  })
  t.match(sent.body.text, /^Olá! Pode confirmar/)
})
