import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { controlConfig, StrictBody } from '../../domains/shared/control_schemas.ts'
import { Bool, Integer, IntegerFrom, MAX_ID, Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { METHODS } from '../faults/schemas.ts'
import type { CountedStub } from './operations.ts'

export const config = controlConfig('Stubs', 'Answers to calls that the API does not have')

/** Limits of stubs per world: each call that the API does not have is matched with all of them. */
export const MAX_STUBS = 1000
export const MAX_TOTAL_BYTES = 16 * 1024 * 1024
export const MAX_PATH_CHARACTERS = 1000

const MatchFields = {
  method: Type.Optional(
    OneOf(METHODS, {
      description:
        'Method of the call; default: any but OPTIONS. GET includes HEAD. A JSONP write has the method in its `_method`',
      examples: ['GET'],
    }),
  ),
  path: Type.String({
    pattern: '^/[^?#\\u0000]*$',
    maxLength: MAX_PATH_CHARACTERS,
    description:
      'A path without base address and query. A part `{name}` matches any text without `/`; `*` as the last part matches the rest; a trailing slash is ignored',
    examples: ['/orders/{order_id}'],
    'x-message': 'must be a path such as /orders/{order_id} or /orders/*, without a query',
  }),
  query: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Parameters that the call must have; `*` in a text matches anything; an array for all values of a repeated one',
      examples: [{ seller: '*' }],
      'x-message': 'must be an object of parameters',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description:
        'What the body must contain: these members of objects, all elements of arrays. A form body is an object of strings; a body that is neither JSON nor a form is a string. GET and HEAD have no body',
      examples: [{ status: 'shipped' }],
    }),
  ),
}

const AnswerFields = {
  status: Integer(200, 599, 'Status', { default: 200, examples: [200] }),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ 'x-message': 'must be a string' }), {
      description: 'Headers; the default of content-type is JSON, or plain text for a body that is a text',
      examples: [{ 'content-type': 'text/html' }],
      'x-message': 'must be a string',
    }),
  ),
  body: Type.Optional(
    Type.Unknown({
      description: 'Body; a text is sent as it is, any other value as JSON',
      examples: [{ results: [] }],
    }),
  ),
  template: Type.Optional(
    Bool(
      'true: the texts of the body are Mustache templates, such as `{{query.seller}}`. In JSON, a text that is one tag `{{{item.price}}}` becomes the value itself',
      { examples: [true] },
    ),
  ),
}

const StubFields = {
  times: Nullable(Type.Integer({ minimum: 1, maximum: MAX_ID, 'x-message': 'must be an integer from 1, or null' }), {
    default: null,
    description: 'How often it answers; then the next matching stub does. null: no limit',
    examples: [1],
    'x-message': 'must be an integer from 1, or null',
  }),
  order: Integer(
    -1_000_000,
    1_000_000,
    'Of several stubs that match, the one with the lowest order answers, then the one with the lowest id',
    { default: 0, examples: [0] },
  ),
  override: Bool('true: it also answers calls that the API has, after the check of their token', {
    default: false,
    examples: [false],
  }),
  access: OneOf(['public', 'token'], {
    default: 'public',
    description: 'token: a call without a token gets 401. A token that is sent must be valid in any case',
    examples: ['public'],
    'x-message': 'must be public or token',
  }),
}

const proposed = Type.Optional(
  Bool(
    'true: a proposal, which answers only calls that no other stub answers, and only while the server runs with `--miss propose`. false accepts it; absent if it is an ordinary stub',
    { examples: [false] },
  ),
)
const id = IntegerFrom(1, 'Number of the stub', 1)
const match = StrictBody(MatchFields, {
  description: 'Which calls it answers',
  'x-message': 'must be an object with path, and optionally method, query and body',
})
const answer = StrictBody(
  { ...AnswerFields, status: Type.Optional(AnswerFields.status) },
  {
    description: 'What it answers',
    'x-message': 'must be an object with status, headers, body and template',
  },
)

export const NewStub = StrictBody(
  {
    id: Type.Optional(id),
    match,
    answer,
    ...Type.Partial(Type.Object(StubFields)).properties,
    proposed,
  },
  {
    examples: [
      {
        match: { method: 'GET', path: '/seller-promotions/search', query: { seller: '*' } },
        answer: { body: { query: '{{query.seller}}', results: [], paging: { total: 0 } }, template: true },
      },
    ],
  },
)
export type NewStub = Static<typeof NewStub>

/** An omitted member of a change has no default. */
const withoutDefault = <T extends TSchema>({ default: _, ...schema }: T) => Type.Optional(schema as unknown as T)
export const StubChange = StrictBody(
  {
    match: Type.Optional({ ...match, description: 'Which calls it answers; replaces all members of the present one' }),
    answer: Type.Optional({ ...answer, description: 'What it answers; replaces all members of the present one' }),
    times: withoutDefault(StubFields.times),
    order: withoutDefault(StubFields.order),
    override: withoutDefault(StubFields.override),
    access: withoutDefault(StubFields.access),
    proposed,
  },
  {
    minProperties: 1,
    'x-message': 'must be a JSON object with some of match, answer, times, order, override, access and proposed',
    examples: [{ times: 2 }],
  },
)
export type StubChange = Static<typeof StubChange>

/** The viewer token does not see the members with secrets. */
const SECRET_MEMBERS = { 'x-secret': 'members' }

export const Stub = ResponseObject(
  {
    id,
    match: ResponseObject(MatchFields, { description: 'Which calls it answers', ...SECRET_MEMBERS }),
    answer: ResponseObject(AnswerFields, { description: 'What it answers', ...SECRET_MEMBERS }),
    ...StubFields,
    proposed,
    hits: Type.Integer({ description: 'Calls that it has answered' }),
    shadowed_by: Type.Optional(
      Type.Integer({
        description: 'Only of a stub that can never answer: number of the one before it that answers all its calls',
        examples: [1],
      }),
    ),
  },
  { title: 'Stub', description: 'An answer of the world’s own to some calls' },
)

export const present = (
  { id, method, path, query, body, answer, ...stub }: CountedStub,
  shadowed: ReadonlyMap<number, number> = new Map(),
) => ({
  id,
  match: { ...(method !== null && { method }), path, ...(query && { query }), ...(body !== undefined && { body }) },
  answer,
  times: stub.times,
  order: stub.order,
  override: stub.override,
  access: stub.access,
  ...(stub.proposed && { proposed: true }),
  hits: stub.hits,
  ...(shadowed.has(id) && { shadowed_by: shadowed.get(id)! }),
})
