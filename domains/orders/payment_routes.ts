import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { World } from '../../db/world.ts'
import { NO_CHECKS } from '../../http/errors/checks.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import { READ_PAYMENT } from './checks.ts'
import { foreignPayment, paymentNotFound } from './errors.ts'
import {
  Collection,
  CollectionSearch,
  FoundCollections,
  FoundPayments,
  NewerPayment,
  PaymentParams,
  PaymentSearch,
  Payments,
  WrappedCollection,
} from './payment_schemas.ts'
import { presentCollection, presentNewer, relatePayments } from './present_payments.ts'
import { findPayments, paymentById } from './queries.ts'

/** A payment of the caller. Throws 404 if there is none, 403 if it is of others [spec: payments.order]. */
async function ownPayment(world: World, caller: number, id: number) {
  const row = await paymentById(world.read, id)
  if (!row) throw paymentNotFound(id)
  const [paid] = await relatePayments(world.read, world, [row])
  if (paid!.order.seller_id !== caller && paid!.order.buyer_id !== caller) throw foreignPayment()
  return paid!
}

/** A page of the payments of the caller, of one order if that is named. */
async function ownPayments(
  world: World,
  user_id: number,
  reference: string | undefined,
  { limit, offset }: { limit: number; offset: number },
) {
  const order_id = reference === undefined ? undefined : Number(reference)
  const { total, rows } = await findPayments(world.read, { user_id, order_id }, { limit, offset })
  return { paging: { total, limit, offset }, paid: await relatePayments(world.read, world, rows) }
}

const config = { resource: Payments, access: 'token', checks: READ_PAYMENT } as const
const searchConfig = { ...config, checks: NO_CHECKS }
const failures = errorResponses(401, 403, 404)

const collections: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/collections/search',
    {
      config: searchConfig,
      schema: {
        summary: 'Search the payments of the caller',
        querystring: CollectionSearch,
        response: { 200: FoundCollections, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query }) => {
      const { paging, paid } = await ownPayments(
        world,
        caller.user_id,
        query.order_id ?? query.external_reference,
        query,
      )
      return { paging, results: paid.map((one) => ({ collection: presentCollection(one) })) }
    },
  )

  app.get(
    '/collections/:payment_id',
    {
      config,
      schema: {
        operationId: 'readCollection',
        summary: 'Read one payment',
        params: PaymentParams,
        response: { 200: Collection, ...failures },
      },
    },
    async ({ world, caller, params: { payment_id } }) =>
      presentCollection(await ownPayment(world, caller.user_id, payment_id)),
  )

  app.get(
    '/collections/notifications/:payment_id',
    {
      config,
      schema: {
        summary: 'Read one payment, as its notifications name it',
        params: PaymentParams,
        response: { 200: WrappedCollection, ...failures },
      },
    },
    async ({ world, caller, params: { payment_id } }) => ({
      collection: presentCollection(await ownPayment(world, caller.user_id, payment_id)),
    }),
  )
}

const newer: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/v1/payments/search',
    {
      config: searchConfig,
      schema: {
        summary: 'Search the payments of the caller in their newer form',
        querystring: PaymentSearch,
        response: { 200: FoundPayments, ...errorResponses(400, 401) },
      },
    },
    async ({ world, caller, query }) => {
      const reference = query['order.id'] ?? query.external_reference
      const { paging, paid } = await ownPayments(world, caller.user_id, reference, query)
      return { paging, results: paid.map(presentNewer) }
    },
  )

  app.get(
    '/v1/payments/:payment_id',
    {
      config,
      schema: {
        operationId: 'readPayment',
        summary: 'Read one payment in its newer form',
        params: PaymentParams,
        response: { 200: NewerPayment, ...failures },
      },
    },
    async ({ world, caller, params: { payment_id } }) =>
      presentNewer(await ownPayment(world, caller.user_id, payment_id)),
  )
}

export default routesOf(collections, newer)
