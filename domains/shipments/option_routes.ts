import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { derived } from '../../db/ids.ts'
import { apiError, badParameter, badRequest } from '../../http/errors/errors.ts'
import { detailsOf } from '../items/details.ts'
import { type ItemRow, itemById } from '../items/queries.ts'
import { itemNotFound } from '../shared/errors.ts'
import { errorResponses, IdInPath, ItemIdInPath } from '../shared/schemas.ts'
import { decimal, orNull, shape } from '../shared/shape.ts'
import { userById } from '../users/queries.ts'
import { COUNTRY_NAMES, COUNTRY_OF, CURRENCY_OF, type SiteId } from '../users/sites.ts'
import { READ_FREE_OPTION, READ_OPTIONS } from './checks.ts'
import { listCost, parseDimensions } from './costs.ts'
import { METHOD, nameOfMethod, promises } from './present.ts'
import { estimated_delivery_time } from './schemas.ts'

/** Where a listing is to be sent: one of them is known. */
export interface Destination {
  zip_code: string | null
  city_to: string | null
}

const ZIP_CODE = /^[A-Za-z0-9-]{3,10}$/
/** Whether the marketplace may know it. */
const isDestination = ({ zip_code, city_to }: Destination): boolean =>
  zip_code === null ? city_to !== null : ZIP_CODE.test(zip_code)

/** What the shipment of a unit of a listing costs. */
const costsOf = (item: ItemRow) => {
  const { free_shipping = false, dimensions } = detailsOf(item).shipping ?? {}
  return { list_cost: listCost(item.currency_id, parseDimensions(dimensions).weight), isFree: free_shipping }
}

/** How a buyer can get a listing, `now` in ms [spec: shipments.options]. */
function optionsOf(item: ItemRow, { zip_code, city_to }: Destination, now: number) {
  const site = item.site_id as SiteId
  const { list_cost, isFree } = costsOf(item)
  const logistic_type = item.in_flex ? 'self_service' : 'drop_off'
  const { estimated_delivery_time } = promises({ row: { date_created: now, logistic_type, mode: 'me2' } })
  const hash = derived('shipping option', `${item.id} ${zip_code} ${city_to}`, 32)
  return {
    destination: {
      zip_code,
      city: { id: city_to, name: null },
      state: { id: null, name: null },
      country: { id: COUNTRY_OF[site], name: COUNTRY_NAMES[site] },
    },
    buyer: { id: 0, loyalty_level: 1, shipping_level: '1' },
    options:
      item.shipping_mode === 'me2'
        ? [
            {
              ...{ id: Number.parseInt(hash.slice(0, 8), 16), option_hash: hash, name: nameOfMethod(item) },
              ...{ currency_id: item.currency_id, base_cost: list_cost, cost: isFree ? 0 : list_cost, list_cost },
              ...{ display: 'recommended', shipping_method_id: METHOD.id, shipping_method_type: METHOD.type },
              ...{ shipping_option_type: METHOD.deliver_to, estimated_delivery_time },
              discount: isFree
                ? { promoted_amount: list_cost, rate: 1, type: 'free', show_loyal_benefit: false }
                : { promoted_amount: 0, rate: 0, type: 'none', show_loyal_benefit: false },
            },
          ]
        : [],
    custom_message: { display_mode: null, reason: '' },
  }
}

/** `HxWxL,g`; the marketplace refuses decimals. */
const DIMENSIONS = /^\d{1,4}x\d{1,4}x\d{1,4},\d{1,7}$/

/** What the seller pays for free shipping of a unit [spec: shipments.options.free]. */
function freeCost(
  currency_id: string,
  { dimensions, free_shipping }: { dimensions: string | undefined; free_shipping: string | undefined },
) {
  const { weight } = parseDimensions(dimensions)
  const list_cost = free_shipping?.toLowerCase() === 'false' ? 0 : listCost(currency_id, weight)
  return { coverage: { all_country: { list_cost, currency_id, billable_weight: weight } } }
}

const ShippingOptions = { name: 'Shipping options', description: 'What the way to the buyer costs', id: 'item_id' }

const noItem = () => apiError('shipments.options.item', 403, 'forbidden', 'items API error')
const invalidZipCode = () =>
  apiError({ rule: 'shipments.options.zip_code', field: 'zip_code' }, 400, 'invalid_zip_code', 'invalid_zip_code')
const noSeller = () => badRequest('shipments.options.free.user', 'seller_id must have a value!', 'user_id')

const named = { id: orNull('AR'), name: orNull('Argentina') }
const Options = shape(
  {
    destination: { zip_code: orNull('1675'), city: named, state: named, country: named },
    buyer: { id: 0, loyalty_level: 1, shipping_level: '1' },
    options: [
      {
        ...{ id: 3048556710, option_hash: '708dd0837f1b1b6468c85d7079091889', name: 'Estándar a domicilio' },
        ...{ currency_id: 'ARS', base_cost: decimal(6500), cost: decimal(6500), list_cost: decimal(6500) },
        ...{ display: 'recommended', shipping_method_id: 73328, shipping_method_type: 'standard' },
        ...{ shipping_option_type: 'address', estimated_delivery_time },
        discount: { promoted_amount: decimal(0), rate: decimal(0), type: 'none', show_loyal_benefit: false },
      },
    ],
    custom_message: { display_mode: null, reason: '' },
  },
  { title: 'ShippingOptions', notes: { cost: 'What the buyer pays', list_cost: 'Price without discounts' } },
)
const FreeOption = shape(
  { coverage: { all_country: { list_cost: decimal(6500), currency_id: 'ARS', billable_weight: 500 } } },
  { title: 'FreeShipping', notes: { list_cost: 'What the seller pays', billable_weight: 'Weight, g' } },
)
const text = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 100, description, examples: [example] }))

const options: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items/:item_id/shipping_options',
    {
      config: { resource: ShippingOptions, access: 'token', checks: READ_OPTIONS },
      schema: {
        operationId: 'readShippingOptions',
        summary: 'What the shipment of a unit to a place costs, and when it arrives',
        params: Type.Object({ item_id: ItemIdInPath(noItem) }),
        querystring: Type.Object({
          zip_code: text('Postal code', '1675'),
          city_to: text('City, where there are no postal codes', 'Q08tRENCb2dvdA'),
        }),
        response: { 200: Options, ...errorResponses(400, 401, 403) },
      },
    },
    async ({ world, params: { item_id }, query: { zip_code = null, city_to = null } }) => {
      if (!isDestination({ zip_code, city_to })) throw invalidZipCode()
      const item = await itemById(world.read, item_id)
      if (!item) throw noItem()
      return optionsOf(item, { zip_code, city_to }, world.clock.now())
    },
  )

  app.get(
    '/users/:user_id/shipping_options/free',
    {
      config: { resource: { ...ShippingOptions, id: 'user_id' }, access: 'token', checks: READ_FREE_OPTION },
      schema: {
        operationId: 'readFreeShippingOption',
        summary: 'What free shipping of a unit costs the seller',
        description: 'Of a listing, or of a parcel of these dimensions. Other parameters change nothing.',
        params: Type.Object({ user_id: IdInPath('Seller identifier', 2500000101, noSeller) }),
        querystring: Type.Object({
          item_id: text('Listing', 'MLA1400000001'),
          dimensions: text('Height, width and length in cm, and weight in g, integers', '9x17x22,462'),
          free_shipping: text('`false`: the buyer pays', 'true'),
        }),
        response: { 200: FreeOption, ...errorResponses(400, 401, 404) },
      },
    },
    async ({ world, params: { user_id }, query: { item_id, dimensions, free_shipping } }) => {
      if (item_id === undefined && dimensions === undefined)
        throw badParameter('item_id', 'is required, or dimensions', 'shipments.options.free.of')
      if (dimensions !== undefined && !DIMENSIONS.test(dimensions))
        throw badParameter('dimensions', 'must be HxWxL,grams with integers', 'shipments.options.free.of')
      const user = await userById(world.read, user_id)
      if (!user) throw noSeller()
      const item = item_id === undefined ? undefined : await itemById(world.read, item_id)
      if (item_id !== undefined && !item) throw itemNotFound(item_id)
      const currency_id = item?.currency_id ?? CURRENCY_OF[user.site_id as SiteId]
      const own = item && detailsOf(item).shipping?.dimensions
      return freeCost(currency_id, { dimensions: dimensions ?? own, free_shipping })
    },
  )
}
export default options
