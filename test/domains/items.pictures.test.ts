import { Readable } from 'node:stream'
import t from 'tap'
import { outbox } from '../../db/tables.ts'
import { start } from '../support/app.ts'
import { JPG, MULTIPART_TYPE, multipart, PNG } from '../support/multipart.ts'
import { badRequest, errorBody, expectAnswer, FOREIGN, notFound, questionFixtures } from '../support/questions.ts'

// Uploads of pictures, and pictures of listings [spec: items.pictures.upload].

const app = await start(t)
const { world, call, control } = app
const { createUser, createListing, createParties } = questionFixtures(app)

const MEBIBYTE = 1024 * 1024
const UPLOAD = '/pictures/items/upload'
const parts = (payload: Buffer | Readable | string, type = MULTIPART_TYPE) => ({
  payload,
  headers: { 'content-type': type },
})

t.test('uploads JPG and PNG, and answers three forms', async (t) => {
  const seller = await createUser()
  for (const head of [JPG, PNG]) {
    const uploaded = await seller.post(UPLOAD, undefined, parts(multipart(head, { bytes: 200_000 })))
    const { id } = uploaded.body
    t.match(id, /^600\d\d\d-MLA800000000\d\d_032026$/)
    expectAnswer(t, uploaded, 201, {
      id,
      max_size: '1200x1200',
      variations: [
        ['F', '1200x1200'],
        ['O', '500x500'],
        ['I', '90x90'],
      ].map(([form, size]) => ({
        size,
        url: `http://http2.example.com/D_${id}-${form}.jpg`,
        secure_url: `https://http2.example.com/D_${id}-${form}.jpg`,
      })),
    })
    expectAnswer(t, await seller.get(`/pictures/${id}`), 200, { id, status: 'ACTIVE' })
    expectAnswer(t, await seller.get(`/pictures/${id}/errors`), 200, { id, status: 'ACTIVE', errors: [] })
    const other = await createUser()
    expectAnswer(t, await other.get(`/pictures/${id}`), 404, notFound(`Picture with id ${id} not found`))
  }
  const { status, body } = await seller.post('/pictures', { source: 'https://example.com/a.jpg' })
  t.match({ status, body }, { status: 201, body: { max_size: '1200x1200' } })
  t.equal((await seller.get(`/pictures/${body.id}`)).status, 200)
  const invalid = badRequest('source: is required, must be a string of 1 to 2000 characters')
  expectAnswer(t, await seller.post('/pictures', {}), 400, invalid)
})

t.test('parts may arrive in any pieces', async (t) => {
  const seller = await createUser()
  const whole = multipart(PNG, { bytes: 300 })
  for (const size of [1, 2, 7, 61, 1000]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) =>
      whole.subarray(n * size, (n + 1) * size),
    )
    t.equal((await seller.post(UPLOAD, undefined, parts(Readable.from(pieces)))).status, 201, `${size} bytes`)
    const { body } = await control('GET /requests?order=desc&limit=1')
    t.match(body.results[0], {
      body: `(${whole.length} bytes, which are not kept)\nfile: "a.jpg", 300 bytes`,
      truncated: true,
    })
  }
})

t.test('refuses what is no picture, and stores nothing', async (t) => {
  const seller = await createUser()
  const noFile = badRequest('file: must be a file in a body of type multipart/form-data')
  const count = async () => (await world.read.db.all('SELECT count(*) n FROM picture')) as unknown
  const before = await count()
  const rows: [request: object, status: number, body: object][] = [
    [parts(multipart(Buffer.from('GIF89a'))), 400, badRequest('The file is not an image')],
    [parts(multipart(Buffer.from(''))), 400, badRequest('The file is not an image')],
    [parts(multipart(JPG, { name: 'picture' })), 400, noFile],
    [parts(multipart(JPG), 'text/plain'), 400, noFile],
    [parts(multipart(JPG), 'multipart/form-data'), 400, noFile],
    [parts(multipart(JPG), 'multipart/form-data; boundary=other'), 400, noFile],
    [parts('', MULTIPART_TYPE), 400, noFile],
    [parts(`--x\r\n${'a'.repeat(20_000)}`, 'multipart/form-data; boundary=x'), 400, noFile],
    [parts(multipart(JPG, { bytes: 10 * MEBIBYTE + 1 })), 400, badRequest('The file must have at most 10485760 bytes')],
  ]
  for (const [request, status, body] of rows)
    expectAnswer(t, await seller.post(UPLOAD, undefined, request), status, body)

  const tooLarge = errorBody(413, 'payload_too_large', 'The body must have at most 26214400 bytes.')
  const chunk = Buffer.alloc(MEBIBYTE)
  expectAnswer(t, await seller.post(UPLOAD, undefined, parts(Readable.from(Array(26).fill(chunk)))), 413, tooLarge)
  t.strictSame(await count(), before)
  const limit = errorBody(413, 'payload_too_large', 'The body must have at most 1048576 bytes.')
  const other = await seller.post('/pictures', ' '.repeat(MEBIBYTE + 1))
  expectAnswer(t, other, 413, limit, 'other calls have the usual limit')
})

t.test('adds pictures to a listing [spec: items.pictures.add]', async (t) => {
  const { seller, buyer, item } = await createParties()
  const path = `/items/${item}/pictures`
  const { id } = (await seller.post('/pictures', { source: 'https://example.com/a.jpg' })).body
  await world.tx(async (q) => q.db.delete(outbox).run())
  const picture = (id: string) => ({
    id,
    url: `http://http2.example.com/D_${id}-O.jpg`,
    secure_url: `https://http2.example.com/D_${id}-O.jpg`,
    ...{ size: '500x500', max_size: '1200x1200', quality: '' },
  })
  expectAnswer(t, await seller.post(path, { id }), 200, [picture(id)])
  const { body } = await seller.post(path, { source: 'https://example.com/b.jpg' })
  t.strictSame(body, [picture(id), picture(body[1].id)])
  t.strictSame((await call(`/items/${item}`)).body.pictures, body)
  const events = await world.tx(async (q) => q.db.delete(outbox).returning().all())
  t.strictSame(
    events.map(({ topic, resource }) => [topic, resource]),
    Array(2).fill(['items', `/items/${item}`]),
  )
  expectAnswer(t, await buyer.post(path, { id }), 403, FOREIGN)
  const foreign = (await buyer.post('/pictures', { source: 'https://example.com/a.jpg' })).body.id
  t.match((await seller.post(path, { id: foreign })).body, {
    cause: [{ cause_id: 204, message: `Picture with id ${foreign} not found` }],
  })
  for (let n = 2; n < 12; n++) t.equal((await seller.post(path, { id })).status, 200)
  t.match((await seller.post(path, { id })).body.cause, [{ cause_id: 201 }])
  const closed = await createListing(seller, 'closed')
  t.match((await seller.post(`/items/${closed}/pictures`, { id })).body.cause, [{ references: ['item.pictures'] }])
})
