import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { atMinusFour } from '../shared/instants.ts'
import { errorResponses, membersOf } from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { Text } from '../shared/texts.ts'
import { addNote, changeNote, removeNote } from './after_sale_operations.ts'
import { CHANGE_NOTE, CHANGE_ORDER } from './checks.ts'
import { noteNotFound } from './errors.ts'
import { notesOf, ownSale } from './queries.ts'
import { OrderId, OrderParams, Orders } from './schemas.ts'
import { MAX_NOTE_LENGTH, type NoteRow } from './tables.ts'

const NoteParams = Type.Object({
  ...OrderParams.properties,
  note_id: Type.String({
    pattern: '^[0-9a-f]{24}$',
    description: 'Note identifier',
    examples: ['5f2d8c1b7e3a9046d1c2b3a4'],
    'x-error': noteNotFound,
  }),
})
const NoteBody = Type.Object(
  {
    note: {
      ...Text('The note', MAX_NOTE_LENGTH, { example: 'Entregar por la tarde.' }),
      'x-rule': 'orders.notes.text',
    },
  },
  { 'x-message': 'must be a JSON object with note', examples: [{ note: 'Entregar por la tarde.' }] },
)

const DATE = '2026-03-02T10:15:00.000-04:00'
const Note = shape(
  { id: '5f2d8c1b7e3a9046d1c2b3a4', note: 'Entregar por la tarde.', date_created: DATE, date_last_updated: DATE },
  { title: 'Note', description: 'A note of the seller on an order' },
)
const OneNote = shape({ note: Note }, { description: 'The note' })
const Notes = shape([{ results: [Note], order_id: OrderId }], {
  description: 'One element: the notes on the order',
  notes: { results: 'The oldest first' },
})

const NoteGroup = {
  name: 'Order notes',
  description: 'What only the seller reads',
  id: 'note_id',
  family: Orders.name,
}

const notes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/orders/:order_id/notes',
    {
      config: { resource: NoteGroup, access: 'token', checks: CHANGE_ORDER },
      schema: {
        summary: 'List the notes on a sale of the caller',
        params: OrderParams,
        response: { 200: Notes, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id } }) => {
      await ownSale(world.read, world, caller.user_id, order_id)
      return [{ results: (await notesOf(world.read, [{ id: order_id }])).map(present), order_id }]
    },
  )

  app.post(
    '/orders/:order_id/notes',
    {
      config: { resource: NoteGroup, access: 'token', checks: CHANGE_ORDER },
      schema: {
        summary: 'Write a note on a sale of the caller',
        params: OrderParams,
        body: NoteBody,
        response: { 201: OneNote, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { order_id }, body: { note } }, reply) => {
      reply.status(201)
      return world.tx(async (q) => {
        await ownSale(q, world, caller.user_id, order_id)
        return { note: present(await addNote(q, world, order_id, note.toWellFormed())) }
      })
    },
  )

  app.put(
    '/orders/:order_id/notes/:note_id',
    {
      config: { resource: NoteGroup, access: 'token', checks: CHANGE_NOTE },
      schema: {
        summary: 'Change a note',
        params: NoteParams,
        body: NoteBody,
        response: { 200: OneNote, ...errorResponses(400, 401, 403, 404, 413) },
      },
    },
    async ({ world, caller, params: { order_id, note_id }, body: { note } }) =>
      world.tx(async (q) => {
        await ownSale(q, world, caller.user_id, order_id)
        return { note: present(await changeNote(q, world, { id: note_id, order_id, note: note.toWellFormed() })) }
      }),
  )

  app.delete(
    '/orders/:order_id/notes/:note_id',
    {
      config: { resource: NoteGroup, access: 'token', checks: CHANGE_NOTE },
      schema: {
        summary: 'Delete a note',
        params: NoteParams,
        response: { 200: OneNote, ...errorResponses(400, 401, 403, 404) },
      },
    },
    async ({ world, caller, params: { order_id, note_id } }) =>
      world.tx(async (q) => {
        await ownSale(q, world, caller.user_id, order_id)
        return { note: present(await removeNote(q, order_id, note_id)) }
      }),
  )
}
export default notes

const noteOf = membersOf(Note)
const present = ({ date_created, date_last_updated, ...row }: NoteRow) =>
  noteOf({ ...row, date_created: atMinusFour(date_created), date_last_updated: atMinusFour(date_last_updated) })
