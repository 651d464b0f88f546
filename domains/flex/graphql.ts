import {
  type DocumentNode,
  execute,
  GraphQLBoolean,
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  Kind,
  NoSchemaIntrospectionCustomRule,
  parse,
  type SelectionSetNode,
  specifiedRules,
  validate,
} from 'graphql'
import type { ApiError } from '../../http/errors.ts'
import { invalidQuery, schemaMismatch } from './errors.ts'
import { LruCache } from './lru_cache.ts'
import type { Configuration } from './present.ts'

// The configuration query. This file is the only one that imports the graphql package: it is loaded with the first
// query.

/** The Int of GraphQL has 32 bits, and ids of users have more: this one holds what JSON programs can. */
const Int = new GraphQLScalarType<number, number>({
  name: 'Int',
  coerceOutputValue: (value) => safeInteger(value),
  coerceInputValue: (value) => safeInteger(value),
  coerceInputLiteral: (node) => safeInteger(node.kind === Kind.INT ? Number(node.value) : undefined),
})
function safeInteger(value: unknown): number {
  if (!Number.isSafeInteger(value)) throw new GraphQLError('must be an integer of at most 53 bits')
  return value as number
}

type Type = GraphQLObjectType | GraphQLScalarType
type Field = Type | GraphQLList<GraphQLNonNull<Type>>

/** An object whose members are never null, but for those in `maybe`. */
const objectType = (
  name: string,
  fields: Record<string, Field>,
  nullable: Record<string, Field> = {},
): GraphQLObjectType =>
  new GraphQLObjectType({
    name,
    fields: {
      ...Object.fromEntries(Object.entries(fields).map(([field, type]) => [field, { type: new GraphQLNonNull(type) }])),
      ...Object.fromEntries(Object.entries(nullable).map(([field, type]) => [field, { type }])),
    },
  })
const listType = (type: Type): Field => new GraphQLList(new GraphQLNonNull(type))

const Text = GraphQLString
const IntRange = objectType('IntRange', { from: Int, to: Int })
const TimeAmount = objectType('TimeAmount', { value: Int, unit: Text })
const Range = listType(
  objectType(
    'DeliveryRange',
    { capacity: Int, type: Text, processing_time: Int, from: Int, to: Int, calculated_cutoff: Int },
    { et_hour: Int },
  ),
)

const ConfigurationType = objectType(
  'Configuration',
  {
    address: objectType('Address', {
      id: Text,
      address_line: Text,
      city: objectType('City', { id: Text, name: Text }),
      zip_code: Text,
    }),
    subscription: objectType(
      'Subscription',
      { site_id: Text, user_id: Int, service_id: Int, status: objectType('Status', { id: Text }), creation_date: Text },
      {
        training_times: objectType('TrainingTimes', {
          original: TimeAmount,
          remaining: TimeAmount,
          activation_date: Text,
        }),
      },
    ),
    delivery_window: Text,
    is_moderated: GraphQLBoolean,
    delivery_ranges: objectType('DeliveryRanges', {}, { week: Range, saturday: Range, sunday: Range }),
    working_days: listType(Text),
    zones: listType(
      objectType('Zone', {
        enabled: GraphQLBoolean,
        id: Text,
        is_mandatory: GraphQLBoolean,
        label: Text,
        neighborhoods: listType(Text),
        price: objectType('Price', {
          cents: Text,
          currency_id: Text,
          decimal_separator: Text,
          fraction: Text,
          symbol: Text,
        }),
        selected: GraphQLBoolean,
      }),
    ),
    availables: objectType(
      'Availables',
      { capacity_range: IntRange, cutoff: listType(Int), ranges: listType(Int), accurate_ranges: listType(IntRange) },
      { radius_range: IntRange },
    ),
    disabled_features: listType(Text),
  },
  { radius: Int },
)

export const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      configuration: {
        type: ConfigurationType,
        // Nullable, so that variables of either kind fit; one that is not given is refused by the resolver.
        args: { user_id: { type: Int }, service_id: { type: Int } },
      },
    },
  }),
})

// Limits of a query text; all are refused before anything is validated.
const MAX_TOKENS = 1000
const MAX_DEPTH = 10
const MAX_ALIASES = 50
/** A text string in three quotes is taken apart line by line, and no field takes a text at all. */
const MAX_LENGTH_WITH_BLOCK_STRING = 64 * 1024

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule]

/** Texts whose documents are kept, those used last; a real client has a handful. */
const MAX_CACHED_DOCUMENTS = 200
/** Longer ones are parsed each time: what is kept stays under 4 MB. */
const MAX_CACHED_LENGTH = 16 * 1024
const documentCache = new LruCache<DocumentNode>(MAX_CACHED_DOCUMENTS)

/**
 * The valid document of a query text. Refuses with `invalid query` what breaks a limit, else what does not fit the
 * schema.
 */
function documentOf(text: string): DocumentNode {
  const cached = documentCache.get(text)
  if (cached) return cached
  const document = parseWithinLimits(text)
  if (validate(schema, document, RULES, { maxErrors: 1, hideSuggestions: true }).length > 0) throw schemaMismatch()
  if (text.length <= MAX_CACHED_LENGTH) documentCache.set(text, document)
  return document
}

function parseWithinLimits(text: string): DocumentNode {
  if (text.length > MAX_LENGTH_WITH_BLOCK_STRING && text.includes('"""')) throw invalidQuery()
  let document: DocumentNode
  try {
    document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
  } catch {
    throw invalidQuery()
  }
  const { depth, aliases } = measure(document)
  if (depth > MAX_DEPTH || aliases > MAX_ALIASES) throw invalidQuery()
  return document
}

/** Fields inside fields, through fragments too, and aliases in all of the text. Refuses empty selections on the way. */
function measure({ definitions }: DocumentNode): { depth: number; aliases: number } {
  const fragments = new Map<string, SelectionSetNode>()
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet)
  const depths = new Map<SelectionSetNode, number>()
  let aliases = 0
  const depthOf = (set: SelectionSetNode | undefined): number => {
    if (!set) return 0
    const cached = depths.get(set)
    if (cached !== undefined) return cached
    // The package takes `{}` for a selection, of nothing; the language that clients write does not.
    if (set.selections.length === 0) throw invalidQuery()
    // A fragment inside itself adds nothing here; validation refuses it.
    depths.set(set, 0)
    let deepest = 0
    for (const node of set.selections) {
      if (node.kind === Kind.FIELD && node.alias) aliases++
      const inner =
        node.kind === Kind.FIELD
          ? 1 + depthOf(node.selectionSet)
          : depthOf(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value))
      deepest = Math.max(deepest, inner)
    }
    depths.set(set, deepest)
    return deepest
  }
  let depth = 0
  for (const definition of definitions)
    if ('selectionSet' in definition) depth = Math.max(depth, depthOf(definition.selectionSet))
  return { depth, aliases }
}

export interface Query {
  text: string
  operationName: string | undefined
  variables: Record<string, unknown> | undefined
}

/** Finds the configuration of one `configuration` field; throws the refusal where it may not be seen. */
export type Resolve = (user_id: number, service_id: number) => Promise<Configuration>

/** Runs a query; answers what it selects. Of several failing root fields the first one's refusal is thrown. */
export async function query({ text, operationName, variables }: Query, resolve: Resolve): Promise<object> {
  const { data, errors } = await execute({
    schema,
    document: documentOf(text),
    rootValue: { configuration: (args: Args) => resolveWith(resolve, args) },
    variableValues: variables,
    operationName,
  })
  // What has no data has failed before any field: the operation's name, the variables.
  if (!data) throw schemaMismatch()
  if (!errors) return data
  for (const [name, value] of Object.entries(data)) {
    const error = value === null && errors.find(({ path }) => path?.[0] === name)
    if (error) throw (error.originalError as ApiError | undefined) ?? error
  }
  throw errors[0]
}

interface Args {
  user_id?: number | null
  service_id?: number | null
}

function resolveWith(resolve: Resolve, { user_id, service_id }: Args): Promise<Configuration> {
  if (typeof user_id !== 'number' || typeof service_id !== 'number') throw schemaMismatch()
  return resolve(user_id, service_id)
}
