import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, type TObject, Type } from '@sinclair/typebox'
import { errorResponses, Id } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { userById } from '../users/queries.ts'
import { Site } from '../users/sites.ts'
import { billingInfoId, billingOf, orderOfBillingInfo } from './billing.ts'
import { READ_BILLING_INFO, READ_ORDER } from './checks.ts'
import { billingInfoNotFound } from './errors.ts'
import { ownOrder } from './queries.ts'
import { OrderParams, Orders } from './schemas.ts'
import type { OrderRow } from './tables.ts'

const newerBilling = {
  name: 'Lucía',
  last_name: 'Fernández',
  identification: { type: 'DNI', number: '30123456' },
  taxes: { taxpayer_type: { id: orNull('05'), description: orNull('Consumidor Final') } },
  address: {
    ...{
      street_name: 'Av. Corrientes',
      street_number: '1234',
      city_name: 'Buenos Aires',
      comment: '',
      neighborhood: '',
    },
    state: { code: 'AR-C', name: 'Capital Federal' },
    ...{ zip_code: '1414', country_id: 'AR' },
  },
  attributes: { is_normalized: true, cust_type: 'CO', doc_type_number: '30123456' },
}
const olderBilling = {
  doc_type: 'DNI',
  doc_number: '30123456',
  additional_info: [{ type: 'FIRST_NAME', value: 'Lucía' }],
}
const notes = {
  name: 'First name, or name of the company',
  taxpayer_type: 'What the tax office knows the buyer as; null where invoices do not say',
  street_number: 'House number',
  comment: 'More about the address',
  country_id: 'ISO 3166 code',
  is_normalized: 'Always true',
  cust_type: 'CO for a person, BU for a company',
  additional_info: 'Name, document and address, by type',
}

const cust_id = Id('Buyer or seller', 2500001011, { 'x-path': '/users/:id' })

const BillingInfo = shape(
  { site_id: 'MLA', buyer: { cust_id, billing_info: newerBilling }, seller: { cust_id } },
  { title: 'BillingInfo', description: 'What the invoice of a sale needs', notes },
)

/** Members that may be missing: required ones would be written before them. */
const optional = (members: object, options: object = { notes }) => Type.Partial(shape(members, options) as TObject)

/** The two forms in one: a header says which. */
const EitherBillingInfo = Type.Unsafe<Static<typeof BillingInfo> | ReturnType<typeof presentOld>>(
  optional(
    {
      site_id: 'MLA',
      buyer: optional({ cust_id, billing_info: optional({ ...olderBilling, ...newerBilling }) }),
      seller: { cust_id },
    },
    { title: 'BillingInfoOfOrder', description: 'What the invoice of a sale needs, in one of two forms' },
  ),
)

const VersionHeader = Type.Object({
  'x-version': Type.Optional(Type.String({ description: '`2`: the newer form of the answer', examples: ['2'] })),
})

const BillingParams = Type.Object({
  site_id: { ...Site, 'x-error': billingInfoNotFound },
  billing_info_id: Type.String({
    pattern: '^[0-9]{18}$',
    description: '`buyer.billing_info.id` of an order',
    examples: [billingInfoId(2_000_010_000_000_001)],
    'x-error': billingInfoNotFound,
  }),
})

const billing: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders/:order_id/billing_info',
    {
      config: { resource: Orders, access: 'token', checks: READ_ORDER },
      schema: {
        summary: 'Read what the invoice of a sale needs of its buyer',
        description: 'A list of types and values; with `x-version: 2` the form of `/orders/billing-info`.',
        params: OrderParams,
        headers: VersionHeader,
        response: { 200: EitherBillingInfo, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id }, headers }) => {
      const order = await ownOrder(world.read, world, caller.user_id, order_id)
      const info = billingOf((await userById(world.read, order.buyer_id))!)
      return headers['x-version'] === '2' ? present(order, info) : presentOld(info)
    },
  )

  app.get(
    '/orders/billing-info/:site_id/:billing_info_id',
    {
      config: { resource: Orders, access: 'token', checks: READ_BILLING_INFO },
      schema: {
        summary: 'Read billing data by the id that an order has',
        params: BillingParams,
        response: { 200: BillingInfo, ...errorResponses(401, 403, 404) },
      },
    },
    async ({ world, caller, params: { site_id, billing_info_id: id } }) => {
      const order_id = orderOfBillingInfo(id)
      if (order_id === undefined) throw billingInfoNotFound(id)
      const order = await ownOrder(world.read, world, caller.user_id, order_id)
      if (order.site_id !== site_id) throw billingInfoNotFound(id)
      return present(order, billingOf((await userById(world.read, order.buyer_id))!))
    },
  )
}
export default billing

type Info = ReturnType<typeof billingOf>

const present = ({ site_id, buyer_id, seller_id }: OrderRow, info: Info) => ({
  site_id,
  buyer: {
    cust_id: buyer_id,
    billing_info: {
      name: info.name,
      last_name: info.last_name,
      identification: { type: info.type, number: info.number },
      taxes: { taxpayer_type: info.taxpayer_type ?? { id: null, description: null } },
      address: {
        street_name: info.street_name,
        street_number: info.street_number,
        city_name: info.city_name,
        comment: '',
        neighborhood: '',
        state: info.state,
        zip_code: info.zip_code,
        country_id: info.country_id,
      },
      attributes: { is_normalized: true, cust_type: info.isCompany ? 'BU' : 'CO', doc_type_number: info.number },
    },
  },
  seller: { cust_id: seller_id },
})

/** Texts that the buyer does not have are empty. */
const presentOld = (info: Info) => {
  const additional = {
    FIRST_NAME: info.name,
    LAST_NAME: info.last_name,
    DOC_TYPE: info.type,
    DOC_NUMBER: info.number,
    STREET_NAME: info.street_name,
    STREET_NUMBER: info.street_number,
    CITY_NAME: info.city_name,
    STATE_NAME: info.state.name,
    ZIP_CODE: info.zip_code,
    COMMENT: '',
    NEIGHBORHOOD: '',
    TAXPAYER_TYPE_ID: info.taxpayer_type?.description ?? '',
  }
  const additional_info = Object.entries(additional).map(([type, value]) => ({ type, value }))
  return { buyer: { billing_info: { doc_type: info.type, doc_number: info.number, additional_info } } }
}
