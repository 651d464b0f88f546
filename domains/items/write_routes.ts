import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { isObject, parseJson } from '../../http/bodies.ts'
import { apiError } from '../../http/errors/errors.ts'
import { routesOf } from '../shared/routes.ts'
import { errorResponses } from '../shared/schemas.ts'
import {
  ADD_PICTURE,
  ADD_VARIATION,
  CHANGE_ITEM,
  CHANGE_VARIATION,
  CREATE_ITEM,
  RELIST_ITEM,
  REMOVE_VARIATION,
  REPLACE_DESCRIPTION,
  WRITE_DESCRIPTION,
} from './checks.ts'
import { changeOwnItem, checkOwnItem, createOwnItem, relistOwnItem, writeOwnItem } from './own_operations.ts'
import { addOwnPicture, describeOwnItem, removeOwnVariation, writeOwnVariation } from './own_part_operations.ts'
import { answerItem, answerVariations, presentDescription } from './present.ts'
import { VariationParams } from './read_routes.ts'
import { Item, ItemDescription, ItemParams, ItemPicture, Items, ItemVariation } from './schemas.ts'
import type { SentListing } from './sent_listing.ts'
import { bodyExpected, readListing } from './validation.ts'
import {
  CreatedItem,
  ItemChange,
  knownMembers,
  NewDescription,
  NewListingBody,
  Relisting,
  SentPicture,
  SentVariation,
} from './write_schemas.ts'

/** A new listing as sent. Throws the 400 of an empty body, or of one that is no JSON object. */
function readBody(body: unknown): SentListing {
  if (!body) throw bodyExpected()
  const { value } = parseJson(body)
  if (isObject(value)) return readListing(value)
  const message = value === undefined ? 'body: must be JSON' : 'body: must be a JSON object'
  throw apiError({ rule: 'http.body.json', check: 'json_body' }, 400, undefined, message)
}

const config = { resource: Items, access: 'token' } as const
const errors = errorResponses(400, 401, 403, 404, 413)

const listings: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/items',
    {
      config: { ...config, checks: CREATE_ITEM },
      schema: {
        operationId: 'createItem',
        summary: 'Create a listing of the caller',
        description:
          'All that is wrong is answered at once, as causes of a `validation_error`; what the marketplace would rather have, as `warnings` of the new listing. Other members are ignored.',
        body: NewListingBody,
        response: { 201: CreatedItem, ...errorResponses(400, 401, 413) },
      },
    },
    async ({ world, caller, body }, reply) => {
      const sent = readBody(body)
      const { row, warnings } = await world.tx((q) => createOwnItem(q, world, caller.user_id, sent))
      const item = await answerItem(world, row, { caller })
      return reply.code(201).send(warnings.length > 0 ? { ...item, warnings } : item)
    },
  )

  app.post(
    '/items/validate',
    {
      config: { ...config, checks: CREATE_ITEM },
      schema: {
        operationId: 'validateItem',
        summary: 'Check a listing without creating it',
        description: '204 if it could be created, else the causes.',
        body: NewListingBody,
        response: { 204: Type.Null(), ...errorResponses(400, 401, 413) },
      },
    },
    async ({ world, caller, body }, reply) => {
      await checkOwnItem(world.read, caller.user_id, readBody(body))
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/items/:item_id',
    {
      config: { ...config, checks: CHANGE_ITEM },
      schema: {
        summary: 'Change a listing of the caller',
        description:
          'All or nothing; other members are ignored. A closed listing can only be removed (`deleted`), and one under review keeps its state. Closing closes the unanswered questions.',
        params: ItemParams,
        body: ItemChange,
        response: { 200: Item, ...errors },
      },
    },
    async ({ world, caller, params: { item_id }, body }) => {
      const change = knownMembers(ItemChange, body)
      const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) => changeOwnItem(q, world, row, change))
      return answerItem(world, row, { caller })
    },
  )

  app.post(
    '/items/:item_id/relist',
    {
      config: { ...config, checks: RELIST_ITEM },
      schema: {
        operationId: 'relistItem',
        summary: 'Continue a closed listing of the caller as a new one, once',
        params: ItemParams,
        body: Relisting,
        response: { 201: Item, ...errors },
      },
    },
    async ({ world, caller, params: { item_id }, body }, reply) => {
      const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) => relistOwnItem(q, world, row, body))
      return reply.code(201).send(await answerItem(world, row, { caller }))
    },
  )
}

const descriptionAndPictures: FastifyPluginAsyncTypebox = async (app) => {
  for (const method of ['POST', 'PUT'] as const)
    app.route({
      method,
      url: '/items/:item_id/description',
      config: { ...config, checks: method === 'POST' ? WRITE_DESCRIPTION : REPLACE_DESCRIPTION },
      schema: {
        summary: method === 'POST' ? 'Write the description of a listing' : 'Replace the description of a listing',
        params: ItemParams,
        body: NewDescription,
        response: { [method === 'POST' ? 201 : 200]: ItemDescription, ...errors },
      },
      handler: async ({ world, caller, params, body }, reply) => {
        const { item_id } = params as { item_id: string }
        const { plain_text } = knownMembers(NewDescription, body)
        const isNew = method === 'POST'
        const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) =>
          describeOwnItem(q, world, row, { plain_text, isNew }),
        )
        return reply.code((isNew ? 201 : 200) as never).send(presentDescription(row) as never)
      },
    })

  app.post(
    '/items/:item_id/pictures',
    {
      config: { ...config, checks: ADD_PICTURE },
      schema: {
        summary: 'Add a picture to a listing of the caller',
        params: ItemParams,
        body: SentPicture,
        response: { 200: Type.Array(ItemPicture, { description: 'Its pictures' }), ...errors },
      },
    },
    async ({ world, caller, params: { item_id }, body }) => {
      const sent = knownMembers(SentPicture, body)
      const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) => addOwnPicture(q, world, row, sent))
      return (await answerItem(world, row, { caller })).pictures
    },
  )
}

const variations: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/items/:item_id/variations',
    {
      config: { ...config, checks: ADD_VARIATION },
      schema: {
        summary: 'Add a variation to a listing of the caller',
        params: ItemParams,
        body: SentVariation,
        response: { 201: ItemVariation, ...errors },
      },
    },
    async ({ world, caller, params: { item_id }, body }, reply) => {
      const sent = knownMembers(SentVariation, body)
      const { row, variation_id } = await writeOwnItem(world, caller.user_id, item_id, (q, row) =>
        writeOwnVariation(q, world, row, { sent }),
      )
      const added = answerVariations(world, row, { caller }).find((one) => one.id === variation_id)!
      return reply.code(201).send(added)
    },
  )

  app.put(
    '/items/:item_id/variations/:variation_id',
    {
      config: { ...config, checks: CHANGE_VARIATION },
      schema: {
        summary: 'Change a variation of a listing of the caller',
        description: 'Price and stock of the listing follow.',
        params: VariationParams,
        body: SentVariation,
        response: { 200: ItemVariation, ...errors },
      },
    },
    async ({ world, caller, params: { item_id, variation_id }, body }) => {
      const sent = knownMembers(SentVariation, body)
      const { row } = await writeOwnItem(world, caller.user_id, item_id, (q, row) =>
        writeOwnVariation(q, world, row, { variation_id, sent }),
      )
      return answerVariations(world, row, { caller }).find((one) => one.id === variation_id)!
    },
  )

  app.delete(
    '/items/:item_id/variations/:variation_id',
    {
      config: { ...config, checks: REMOVE_VARIATION },
      schema: {
        summary: 'Remove a variation of a listing of the caller, but not the last one',
        params: VariationParams,
        response: { 200: Type.Array(ItemVariation, { description: 'The others' }), ...errors },
      },
    },
    async ({ world, caller, params: { item_id, variation_id } }) => {
      const row = await writeOwnItem(world, caller.user_id, item_id, (q, row) =>
        removeOwnVariation(q, world, row, variation_id),
      )
      return answerVariations(world, row, { caller })
    },
  )
}

export default routesOf(listings, descriptionAndPictures, variations)
