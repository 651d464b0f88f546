import type { ItemDetails } from '../../../domains/items/details.ts'
import { changeDetails, moveStock } from '../../../domains/items/operations.ts'
import { insertDescription, newPicture } from '../../../domains/items/part_operations.ts'
import { itemById } from '../../../domains/items/queries.ts'
import { NOW, type TestApp } from '../app.ts'
import { JPG, MULTIPART_TYPE, multipart } from '../multipart.ts'
import { type ItemStatus, questionFixtures } from '../questions.ts'
import type { Draft, WrongCalls } from './draft.ts'

const NO_ITEM = 'MLA9999999999'
const SOURCE = { source: 'https://example.com/a.jpg' }

const member = (name: string, value: unknown) => (call: Draft) => call.setMember(name, value)
const state = (name: string, value: unknown) => (call: Draft) => {
  call.uses('param item_id', ...(name === 'exists' ? [] : ['state exists']))
  call.setState(name, value)
}

/** Of any listing. */
const PRICES = { price_minimum: member('price', 0.5), price_maximum: member('price', 1e10) }
const PICTURES = {
  picture_count: member('pictures', Array(13).fill(SOURCE)),
  picture_known: member('pictures', [{ id: 'none' }]),
}
const DESCRIPTIONS = {
  plain_description: member('plain_text', '<b>'),
  description_length: member('plain_text', 'x'.repeat(50_001)),
}
const LISTING = {
  listing_exists: state('exists', false),
  own_listing: state('foreign', true),
  changeable: state('status', 'closed'),
}

const exclusive = {
  'param item_id': 'an id that is none names no listing',
  'param variation_id': 'an id that is none names no variation',
  'state exists': 'a listing that does not exist has no seller and no status',
  'state status': 'a listing is closed or not',
  'member price': 'a price is one number, and that of a listing without variations',
  'member title': 'a title is one text',
  'member pictures': 'a list is too long, or empty',
  'member variations': 'a list is empty, or has an unknown variation',
  'member category_id': 'a category is unknown, or asks for attributes',
  'member description': 'markup comes before the end of a text',
  'member plain_text': 'markup comes before the end of a text',
  text: 'a body is missing, no JSON, or has members; and one file is too large or no image',
}

/** The listing that a call is about. */
interface Wanted {
  exists?: boolean
  foreign?: boolean
  status?: ItemStatus
  sold?: boolean
  automation?: boolean
  /** How many it has. */
  variations?: number
  pictures?: number
  relisted?: boolean
  described?: boolean
}

/** Calls that write listings, their parts and pictures. */
export async function itemWrites(app: TestApp): Promise<WrongCalls[]> {
  const { world } = app
  const { createParties, createListing } = questionFixtures(app)
  const { seller, buyer } = await createParties()
  const picture = await world.tx((q) => newPicture(q, world, { id: seller.id, site_id: 'MLA' }))

  /** A listing as the state of the call says; `usual` is that of a call that is accepted. */
  const prepare =
    (usual: Wanted = {}): NonNullable<WrongCalls['prepare']> =>
    async (call) => {
      const wanted: Wanted = { ...usual, ...call.state }
      const { exists = true, foreign, sold, automation, variations, pictures, relisted, described } = wanted
      const id = await createListing(foreign ? buyer : seller, wanted.status)
      const details: ItemDetails = {
        ...(automation && { price_automation: true }),
        ...(relisted && { relisted: true }),
        ...(pictures && { pictures: Array<string>(pictures).fill('x') }),
        ...(variations && { variations: Array.from({ length: variations }, (_, n) => variation(5 + n)) }),
      }
      await world.tx(async (q) => {
        await changeDetails(q, world, (await itemById(q, id))!, details)
        if (sold) await moveStock(q, world, { id, variation_id: null, quantity: 0, sold: 1 })
        if (described) await insertDescription(q, { item_id: id, plain_text: 'Hola', now: NOW })
      })
      call.fill('param', 'item_id', exists ? id : NO_ITEM)
    }
  const ofListing = (wrong: Omit<WrongCalls, 'caller'>): WrongCalls => ({
    ...{ caller: seller, exclusive, prepare: prepare() },
    ...wrong,
    breaks: { ...LISTING, ...wrong.breaks },
  })

  return [
    ...newListings(seller),
    ofListing({
      route: 'PUT /items/:item_id',
      body: { title: 'Silla' },
      breaks: {
        ...{ body: member('subtitle', 5), deletable: member('deleted', true), unsold: state('sold', true) },
        by_variation(call) {
          state('variations', 2)(call)
          call.setMember('available_quantity', 3)
        },
        price_manual(call) {
          state('automation', true)(call)
          call.setMember('price', 900)
        },
        variation_exists: member('variations', [{ id: 700 }]),
        variation_remains(call) {
          state('variations', 1)(call)
          call.uses('member price')
          call.setMember('variations', [])
        },
        ...{ ...PRICES, ...PICTURES, category: member('category_id', 'MLA1') },
        title_maximum: member('title', 'x'.repeat(61)),
      },
      exclusive: { ...exclusive, 'state variations': 'a listing has one number of variations' },
    }),
    ofListing({
      route: 'POST /items/:item_id/relist',
      body: { quantity: 2 },
      prepare: prepare({ status: 'closed' }),
      breaks: {
        ...{ body: member('quantity', 'x'), relistable: state('status', 'active'), ...PRICES },
        relisted_once: state('relisted', true),
      },
    }),
    ofListing({
      route: 'POST /items/:item_id/description',
      body: { plain_text: 'Hola' },
      breaks: { not_described: state('described', true), ...DESCRIPTIONS },
    }),
    ofListing({
      route: 'PUT /items/:item_id/description',
      body: { plain_text: 'Hola' },
      prepare: prepare({ described: true }),
      breaks: { described: state('described', false), ...DESCRIPTIONS },
    }),
    ofListing({
      route: 'POST /items/:item_id/variations',
      body: { price: 900 },
      breaks: { body: member('available_quantity', 'x'), price_manual: state('automation', true), ...PRICES },
    }),
    ofListing({
      route: 'PUT /items/:item_id/variations/:variation_id',
      params: { variation_id: 5 },
      body: { price: 900 },
      prepare: prepare({ variations: 2 }),
      breaks: {
        ...{ body: member('available_quantity', 'x'), price_manual: state('automation', true), ...PRICES },
        variation_exists: (call) => call.setParam('variation_id', 700),
      },
    }),
    ofListing({
      route: 'DELETE /items/:item_id/variations/:variation_id',
      params: { variation_id: 5 },
      prepare: prepare({ variations: 2 }),
      breaks: {
        variation_exists: (call) => call.setParam('variation_id', 700),
        variation_remains(call) {
          call.uses('param variation_id')
          state('variations', 1)(call)
        },
      },
    }),
    ofListing({
      route: 'POST /seller-promotions/items/:item_id',
      body: { deal_price: 900 },
      breaks: { lower_price: member('deal_price', 1000), finish_date: member('finish_date', '1e3') },
      exclusive: {
        ...exclusive,
        'member deal_price': 'a price is one number',
        'member finish_date': 'a date is one text',
      },
    }),
    ofListing({ route: 'DELETE /seller-promotions/items/:item_id', breaks: {} }),
    ofListing({ route: 'GET /seller-promotions/items/:item_id', breaks: {} }),
    {
      ...ofListing({ route: 'POST /items/catalog_listings', body: { catalog_product_id: 'MLA12345678' }, breaks: {} }),
      async prepare(call) {
        await prepare()(call)
        call.fill('member', 'item_id', call.params.item_id)
      },
    },
    ofListing({
      route: 'POST /items/:item_id/pictures',
      body: SOURCE,
      breaks: { picture_count: state('pictures', 12), picture_known: member('id', 'none') },
    }),
    {
      route: 'POST /pictures/items/upload',
      caller: seller,
      headers: { 'content-type': MULTIPART_TYPE },
      text: multipart(JPG),
      breaks: {
        body_size: (call) => call.setHeader('content-length', String(25 * 1024 * 1024 + 1)),
        file_sent: (call) => call.setHeader('content-type', 'text/plain'),
        file_size: (call) => call.setText(multipart(JPG, { bytes: 10 * 1024 * 1024 + 1 })),
        image: (call) => call.setText(multipart(Buffer.from('GIF89a'))),
      },
      exclusive,
    },
    { route: 'POST /pictures', caller: seller, body: SOURCE, breaks: {} },
    ...['GET /pictures/:picture_id', 'GET /pictures/:picture_id/errors'].map(
      (route): WrongCalls => ({
        route,
        caller: seller,
        params: { picture_id: picture },
        breaks: { picture_exists: (call) => call.setParam('picture_id', 'none') },
      }),
    ),
  ]
}

const variation = (id: number) => ({
  ...{ id, price: 1000, available_quantity: 1, sold_quantity: 0 },
  ...{ attribute_combinations: [], picture_ids: [] },
})

function newListings(caller: WrongCalls['caller']): WrongCalls[] {
  const breaks: WrongCalls['breaks'] = {
    body_sent: (call) => call.setText(''),
    json_body: (call) => call.setText('{'),
    required_members: member('currency_id', undefined),
    member_types: member('buying_mode', 5),
    ...PRICES,
    category: member('category_id', 'MLA1'),
    required_attributes: member('category_id', 'MLA7001'),
    picture_needed: member('pictures', []),
    ...PICTURES,
    title_minimum: member('title', 'ab'),
    title_maximum: member('title', 'x'.repeat(61)),
    plain_description: member('description', '<b>'),
    description_length: member('description', 'x'.repeat(50_001)),
  }
  const body = {
    ...{ title: 'Silla', category_id: 'MLA3530', price: 1000, currency_id: 'ARS', available_quantity: 1 },
    ...{ buying_mode: 'buy_it_now', listing_type_id: 'gold_special', pictures: [SOURCE] },
  }
  return ['POST /items', 'POST /items/validate'].map((route) => ({ route, caller, body, breaks, exclusive }))
}
