import { type TNull, type TProperties, type TSchema, Type, TypeGuard } from '@sinclair/typebox'
import { MAX_SEARCHED_ROWS } from '../../db/searches.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import {
  errorResponses,
  Instant,
  Integer,
  MAX_ID,
  Nullable,
  OneOf,
  parseInstantParameter,
  ResponseObject,
  type StandardErrorBody,
} from './schemas.ts'

/** The `config` of control routes; their document groups them by `name`. */
export const controlConfig = (name: string, description: string) => ({
  resource: { name, description },
  access: 'control' as const,
})

/** The `config` of control routes that the viewer token may call: they change nothing, and mark the secrets they answer. */
export const viewable = <T extends object>(config: T) => ({ ...config, isViewable: true as const })

/** The same for texts and streams, which cannot be masked: they must have no secrets. */
export const viewableUnmasked = <T extends object>(config: T) => ({ ...viewable(config), isUnmasked: true as const })

/** The `config` of control routes that write, but not to the state of their world: there is nothing to undo. */
export const keepsState = <T extends object>(config: T) => ({ ...config, keepsState: true as const })

/** The routes of users and of OAuth share a group. */
export const PEOPLE = controlConfig('Users and applications', 'Users, applications and tokens')

interface ControlCall {
  summary: string
  description?: string
  params?: TSchema
  querystring?: TSchema
  body?: TSchema
  /** 200, or 204 where it is null. */
  answer?: TSchema
  /** Instead of `answer`: the new resource, 201. The id that the caller chooses for it may exist: 409. */
  created?: TSchema
  /** More statuses of errors than those of what the call reads. */
  errors?: readonly number[]
}
type Answers<Call> = Call extends { created: infer Created extends TSchema }
  ? { 201: Created }
  : Call extends { answer: infer Answer extends TSchema }
    ? Answer extends TNull
      ? { 204: Answer }
      : { 200: Answer }
    : never

/** The options of a control route: the errors that it documents follow from what it reads. */
export function controlCall<Config extends object, const Call extends ControlCall>(config: Config, call: Call) {
  const { answer, created, errors = [], ...schema } = call
  const { body, querystring } = call
  const isEmpty = answer !== undefined && TypeGuard.IsNull(answer)
  const response = {
    ...(created ? { 201: created } : { [isEmpty ? 204 : 200]: answer }),
    ...errorResponses(404, ...errors),
    ...((body || querystring) && errorResponses(400)),
    ...(created && errorResponses(409)),
  }
  return { config, schema: { ...schema, response } } as unknown as {
    config: Config
    schema: Omit<Call, 'answer' | 'created' | 'errors'> & {
      response: Answers<Call> & Record<400 | 404 | 409, typeof StandardErrorBody>
    }
  }
}

/** A body with these members only: a misspelled member is an error. */
export const StrictBody = <T extends TProperties>(members: T, options: object = {}) =>
  Type.Object(members, { additionalProperties: false, ...options })

/** An id that the caller chooses for a new resource. */
export const OptionalId = (resource: string) =>
  Type.Optional(Integer(1, MAX_ID, `Id of the new ${resource}; default: a new one`))

/** A short text for people. */
export const Label = (description: string, example: string) =>
  Type.String({
    maxLength: 100,
    pattern: '^[^\\u0000-\\u001f]+$',
    description,
    examples: [example],
    'x-message': 'must be a text of 1 to 100 characters',
  })

/** The answer of a call that has nothing to return. */
export const NoContent = Type.Null({ description: 'Done' })

/** Parameters of a page. */
export const PagingQuery = {
  limit: Type.Integer({
    minimum: 0,
    maximum: 1000,
    default: 50,
    description: 'Elements of the page; 0: only the total',
    'x-message': 'must be an integer from 0 to 1000',
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: 'Elements before the page',
    'x-message': 'must be an integer from 0',
  }),
}

const PagingFields = {
  total: Type.Integer({ description: 'Number of elements in the whole list' }),
  limit: Type.Integer({ description: 'As requested' }),
  offset: Type.Integer({ description: 'As requested' }),
}

/** A page of a list. */
export const Page = <T extends TSchema>(element: T, description: string) =>
  ResponseObject({
    paging: ResponseObject(PagingFields, { title: 'Paging', description: 'Position of the page' }),
    results: Type.Array(element, { description }),
  })

const cursorPaging = <Id extends TSchema>(title: string, id: Id) =>
  ResponseObject(
    {
      ...PagingFields,
      total: Type.Integer({
        description: 'Number of elements in the whole list; with `q` of those found by this call',
      }),
      next_before: Nullable(id, { description: '`before` of the next page; null if there is none' }),
    },
    { title, description: 'Position of the page' },
  )
const NumberCursorPaging = cursorPaging('CursorPaging', Type.Integer())
const TextCursorPaging = cursorPaging('TextCursorPaging', Type.String())

/** A page of a list that takes `before`, the id of an element. */
export const CursorPage = <T extends TSchema>(element: T, description: string) =>
  ResponseObject({ paging: NumberCursorPaging, results: Type.Array(element, { description }) })
/** The same of a list whose ids are texts. */
export const TextCursorPage = <T extends TSchema>(element: T, description: string) =>
  ResponseObject({ paging: TextCursorPaging, results: Type.Array(element, { description }) })

const BEFORE =
  'Begin behind the element with this id: elements that are added meanwhile do not move the pages. `offset` counts from there'

/** The parameter `before` of a list whose ids are numbers. */
export const BeforeId = Type.Optional(
  Type.Integer({ minimum: 0, maximum: MAX_ID, description: BEFORE, 'x-message': 'must be an id' }),
)
/** The same of a list whose ids are texts. */
export const BeforeTextId = (resource: string, example: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: BEFORE,
      examples: [example],
      'x-message': `must be the id of a ${resource}`,
    }),
  )

/** The parameters of a period; `readPeriod` reads them. */
export const PeriodQuery = {
  since: Type.Optional(Instant('Only from this instant on', '2026-03-01T00:00:00Z')),
  until: Type.Optional(Instant('Only before this instant', '2026-03-02T00:00:00Z')),
}

/** Ms of the bounds of a period. Throws 400 if one is invalid, or if they are reversed. */
export function readPeriod(since: string | undefined, until: string | undefined) {
  const period = {
    since: since === undefined ? undefined : parseInstantParameter('since', since),
    until: until === undefined ? undefined : parseInstantParameter('until', until),
  }
  if (period.since !== undefined && period.until !== undefined && period.since > period.until)
    throw badRequest('since: must not be after until')
  return period
}

/** Members of listed rows that are about a listing and a buyer. */
export const NAMES = {
  item_title: Nullable(Type.String(), { description: 'Title of the listing' }),
  currency_id: Nullable(Type.String(), { description: 'Currency of the listing' }),
  seller_nickname: Nullable(Type.String(), { description: 'Nickname of the seller' }),
  buyer_nickname: Nullable(Type.String(), { description: 'Nickname of the buyer; null: no account' }),
}

/** A member that rows have only with `counts`. */
export const CountMember = (description: string) =>
  Type.Optional(Type.Integer({ description: `${description}; only with \`counts\`` }))

/** The parameter `counts` of a list. */
export const Counts = (members: string) =>
  Type.Optional(OneOf(['true', 'false'], { description: `true: rows have ${members}`, examples: ['true'] }))

/** The parameter `q`: a text to search in `places`. */
export const SearchText = (places: string) =>
  Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      pattern: '^[^\\u0000]+$',
      description: `Only those with this text in the ${places}; letter case and accents do not matter. A call searches at most ${MAX_SEARCHED_ROWS} elements`,
      examples: ['garantia'],
      'x-message': 'must be a text of 1 to 100 characters, without U+0000',
    }),
  )
