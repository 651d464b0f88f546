import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { type CallChecks, defineChecks, NO_CHECKS } from '../../http/errors/checks.ts'
import { notFound } from '../../http/errors/errors.ts'
import { errorResponses, OneOf } from '../shared/schemas.ts'
import { decimal, shape } from '../shared/shape.ts'
import { CURRENCIES, CURRENCY_IDS, Currency, type CurrencyId, perDollar } from './currencies.ts'

const CHECKS = defineChecks({
  currency_exists: ['currencies.not_found', 'The currency exists', 'La moneda existe', 'A moeda existe', 'id'],
})

const READ_CURRENCY: CallChecks = {
  order: 'http.order',
  checks: [CHECKS.currency_exists],
  values: { id: () => CURRENCIES.map(({ id }) => id) },
}

const Currencies = { name: 'Currencies', description: 'Currencies in which prices are given' }

const Conversions = { name: 'Currency conversions', description: 'Rates between currencies' }
const Conversion = shape({ ratio: decimal(1400) }, { title: 'CurrencyConversion' })
const RATE = { 'x-rule': 'currencies.conversion' } as const

const byId = new Map(CURRENCIES.map((currency) => [currency.id, currency]))

const currencies: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/currencies',
    {
      config: { resource: Currencies, access: 'public', checks: NO_CHECKS },
      schema: {
        summary: 'List the currencies',
        response: { 200: Type.Array(Currency, { description: 'All currencies' }), ...errorResponses(401) },
      },
    },
    async () => CURRENCIES,
  )

  app.get(
    '/currencies/:id',
    {
      config: { resource: Currencies, access: 'public', checks: READ_CURRENCY },
      schema: {
        summary: 'Read one currency',
        params: Type.Object({ id: Type.String({ description: 'ISO 4217 code', examples: ['ARS'] }) }),
        response: { 200: Currency, ...errorResponses(401, 404) },
      },
    },
    async ({ params: { id } }) => {
      const currency = byId.get(id)
      if (!currency) throw notFound('currencies.not_found', `Currency with id ${id} not found`)
      return currency
    },
  )

  app.get(
    '/currency_conversions/search',
    {
      config: { resource: Conversions, access: 'public', checks: NO_CHECKS },
      schema: {
        summary: 'Read the rate between two currencies',
        querystring: Type.Object({
          from: OneOf([...CURRENCY_IDS], { description: 'Of an amount', examples: ['USD'], ...RATE }),
          to: OneOf([...CURRENCY_IDS], { description: 'Wanted', examples: ['ARS'], ...RATE }),
        }),
        response: { 200: Conversion, ...errorResponses(400, 401) },
      },
    },
    async ({ query }) => {
      const { from, to } = query as Record<'from' | 'to', CurrencyId>
      return { ratio: Number((perDollar(to) / perDollar(from)).toPrecision(8)) }
    },
  )
}
export default currencies
