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
  type SelectionNode,
  type SelectionSetNode,
  specifiedRules,
  validate,
  visit,
} from 'graphql'
import { LRUCache } from 'lru-cache'
import type { ApiError } from '../../http/errors/errors.ts'
import { invalidQuery, schemaMismatch } from './errors.ts'
import type { Configuration } from './present.ts'

// Only this file imports the graphql package: it is loaded by the first query.

/** GraphQL's Int has 32 bits, too few for user ids; this one has the 53 bits of a JSON number. */
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

/** An object type; only the members in `nullable` can be null. */
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

const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: {
      configuration: {
        type: ConfigurationType,
        // Nullable, so that variables of both kinds fit; the resolver rejects null [spec: flex.query.null_arguments].
        args: { user_id: { type: Int }, service_id: { type: Int } },
      },
    },
  }),
})

// Limits of a query text, checked before it is validated [spec: flex.query.invalid].
const MAX_TOKENS = 1000
const MAX_DEPTH = 10
const MAX_ALIASES = 50
/** Parsing a block string takes long for its length, and no argument is a string [spec: flex.query.block_strings]. */
const MAX_LENGTH_WITH_BLOCK_STRING = 64 * 1024

const RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule]

/** A real client has a handful. */
const MAX_CACHED_DOCUMENTS = 200
/** Longer texts are parsed each time: the cache takes less than 4 MB. */
const MAX_CACHED_LENGTH = 16 * 1024
const documentCache = new LRUCache<string, DocumentNode>({ max: MAX_CACHED_DOCUMENTS })

/** Parses and validates a query text; throws `invalidQuery` if it exceeds a limit, `schemaMismatch` if it is invalid. */
function documentOf(text: string): DocumentNode {
  const hit = documentCache.get(text)
  if (hit) return hit
  const document = withoutRepeats(parseWithinLimits(text))
  if (validate(schema, document, RULES, { maxErrors: 1, hideSuggestions: true }).length > 0) throw schemaMismatch()
  if (text.length <= MAX_CACHED_LENGTH) documentCache.set(text, document)
  return document
}

function parseWithinLimits(text: string): DocumentNode {
  if (text.length > MAX_LENGTH_WITH_BLOCK_STRING && text.includes('"""')) throw invalidQuery('flex.query.block_strings')
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

/**
 * Removes selections that repeat another one of their set. Answers are the same without them, and the package takes a query
 * with too many pairs of equal fields for an invalid one [spec: flex.query.repeats].
 */
const withoutRepeats = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet: {
      leave: (set) => ({
        ...set,
        selections: [...new Map(set.selections.map((node) => [JSON.stringify(node), node])).values()],
      }),
    },
  })

/** The depth of fields, through fragments too, and the number of aliases. Throws for an empty selection. */
function measure({ definitions }: DocumentNode): { depth: number; aliases: number } {
  const fragments = new Map<string, SelectionSetNode>()
  for (const definition of definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition.selectionSet)
  const depths = new Map<SelectionSetNode, number>()
  let aliases = 0

  function depthOf(set: SelectionSetNode | undefined): number {
    if (!set) return 0
    const measured = depths.get(set)
    if (measured !== undefined) return measured
    // The package accepts `{}`, the GraphQL grammar does not.
    if (set.selections.length === 0) throw invalidQuery()
    // A fragment inside itself counts 0; validation rejects it.
    depths.set(set, 0)
    const depth = Math.max(...set.selections.map(depthOfNode))
    depths.set(set, depth)
    return depth
  }
  function depthOfNode(node: SelectionNode): number {
    if (node.kind === Kind.FRAGMENT_SPREAD) return depthOf(fragments.get(node.name.value))
    if (node.kind === Kind.INLINE_FRAGMENT) return depthOf(node.selectionSet)
    if (node.alias) aliases++
    return 1 + depthOf(node.selectionSet)
  }

  const roots = definitions.map((definition) => ('selectionSet' in definition ? depthOf(definition.selectionSet) : 0))
  return { depth: Math.max(0, ...roots), aliases }
}

export interface Query {
  text: string
  operationName: string | undefined
  variables: Record<string, unknown> | undefined
}

/** Finds the configuration of one `configuration` field; throws the error for a caller who may not see it. */
export type Resolve = (user_id: number, service_id: number) => Promise<Configuration>

/** Executes a query and returns its data. If several root fields fail, the error of the first one is thrown. */
export async function query({ text, operationName, variables }: Query, resolve: Resolve): Promise<object> {
  const { data, errors } = await execute({
    schema,
    document: documentOf(text),
    rootValue: { configuration: (args: Args) => resolveWith(resolve, args) },
    variableValues: variables,
    operationName,
  })
  // Without data it failed before any field: by its operation name or its variables.
  if (!data) throw schemaMismatch(operationName === undefined ? 'variables' : 'operationName')
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
  if (typeof user_id !== 'number' || typeof service_id !== 'number')
    throw schemaMismatch('query', 'flex.query.null_arguments')
  return resolve(user_id, service_id)
}
