import fc, { type Arbitrary } from 'fast-check'

// Queries of the Flex configuration, made from the documented fields [spec: flex.configuration.fields], and their
// expected answers: a reference independent of the implementation.

type Shape = string | null
/** The fields of each type, and the type of object fields. */
const TYPES: Record<string, Record<string, Shape>> = {
  Query: { configuration: 'Configuration' },
  Configuration: {
    address: 'Address',
    subscription: 'Subscription',
    delivery_window: null,
    is_moderated: null,
    delivery_ranges: 'DeliveryRanges',
    working_days: null,
    zones: 'Zone',
    radius: null,
    availables: 'Availables',
    disabled_features: null,
  },
  Address: { id: null, address_line: null, city: 'City', zip_code: null },
  City: { id: null, name: null },
  Subscription: {
    site_id: null,
    user_id: null,
    service_id: null,
    status: 'Status',
    creation_date: null,
    training_times: 'TrainingTimes',
  },
  Status: { id: null },
  TrainingTimes: { original: 'TimeAmount', remaining: 'TimeAmount', activation_date: null },
  TimeAmount: { value: null, unit: null },
  DeliveryRanges: { week: 'DeliveryRange', saturday: 'DeliveryRange', sunday: 'DeliveryRange' },
  DeliveryRange: {
    capacity: null,
    type: null,
    processing_time: null,
    from: null,
    to: null,
    et_hour: null,
    calculated_cutoff: null,
  },
  Zone: {
    enabled: null,
    id: null,
    is_mandatory: null,
    label: null,
    neighborhoods: null,
    price: 'Price',
    selected: null,
  },
  Price: { cents: null, currency_id: null, decimal_separator: null, fraction: null, symbol: null },
  Availables: {
    capacity_range: 'IntRange',
    cutoff: null,
    ranges: null,
    accurate_ranges: 'IntRange',
    radius_range: 'IntRange',
  },
  IntRange: { from: null, to: null },
}

/** A selection of every field of a type. */
export function everyField(type: string): string {
  const fields = Object.entries(TYPES[type]!).map(([name, of]) => (of === null ? name : `${name} ${everyField(of)}`))
  return `{ ${fields.join(' ')} }`
}

/** A query of one complete configuration. */
export const fullQuery = (user_id: number, service_id: number): string =>
  `{ configuration(user_id: ${user_id}, service_id: ${service_id}) ${everyField('Configuration')} }`

/** Each field of a configuration with everything below it, and the number of its tokens. */
export const configurationFields: { text: string; tokens: number }[] = Object.entries(TYPES.Configuration!).map(
  ([name, of]) => {
    const text = of === null ? name : `${name} ${everyField(of)}`
    return { text, tokens: text.split(' ').length }
  },
)

// Selections

interface Directive {
  /** include or skip. */
  name: string
  if: boolean
}

interface Field {
  name: string
  alias?: string | undefined
  directive?: Directive | undefined
  /** The type that `of` selects from; undefined for a scalar. */
  type?: string
  of?: Selection[] | undefined
  /** Of a configuration: index of the seller's service. */
  service?: number | undefined
}
/** Part of a selection: inline, or in a named fragment that is spread once or twice. */
interface Part {
  type: string
  part: Selection[]
  directive?: Directive | undefined
  spread: 0 | 1 | 2
  /** `... { }` instead of `... on Type { }`. */
  untyped?: boolean
}
type Selection = Field | Part

const rarely = <T>(one: Arbitrary<T>, times: number): Arbitrary<T | undefined> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })

const directive: Arbitrary<Directive | undefined> = rarely(
  fc.record({ name: fc.constantFrom('include', 'skip'), if: fc.boolean() }),
  12,
)

/** An alias always belongs to the same field, so that no two selections conflict. */
const ALIASES: ((name: string) => string)[] = [(name) => `_${name}`, (name) => `${name}2`, (name) => `Z${name}`]
const anyAlias = (name: string): Arbitrary<string | undefined> =>
  rarely(fc.constantFrom(...ALIASES.map((make) => make(name))), 4)

const selections = new Map<string, Arbitrary<Selection[]>>()

/** Any selection of a type, with fragments nested up to `deep` levels. */
function selectionOf(type: string, depth: number): Arbitrary<Selection[]> {
  const key = `${type} ${depth}`
  const cached = selections.get(key)
  if (cached) return cached
  const field = fc.oneof(
    ...Object.entries(TYPES[type]!).map(([name, of]) => fieldOf(name, of, depth)),
    fieldOf('__typename', null, depth),
  )
  const part = (): Arbitrary<Part> =>
    fc.record({
      type: fc.constant(type),
      part: selectionOf(type, depth - 1),
      directive,
      spread: fc.constantFrom(0, 1, 2),
      untyped: fc.boolean(),
    })
  const one = depth > 0 ? fc.oneof({ weight: 4, arbitrary: field }, { weight: 1, arbitrary: part() }) : field
  const generated = fc.array(one, { minLength: 1, maxLength: type === 'Configuration' ? 5 : 2 })
  selections.set(key, generated)
  return generated
}

function fieldOf(name: string, type: Shape, depth: number): Arbitrary<Field> {
  const service = name === 'configuration' ? fc.constantFrom(0, 1) : fc.constant(undefined)
  return fc
    .record({ alias: anyAlias(name), directive, of: type ? selectionOf(type, depth) : fc.constant(undefined), service })
    .map((field) => ({
      name,
      ...field,
      ...(type && { type }),
      // One name cannot select two services.
      ...(field.service === 1 && { alias: field.alias ? `t${field.alias}` : 't' }),
    }))
}

// Notations

const NAMES = [
  'Q',
  'query',
  'fragment',
  'mutation',
  '_',
  '__',
  'true',
  'null',
  'configuration',
  'x'.repeat(300),
  'onto',
]
/** Ignored tokens between tokens. */
const BLANKS = [
  ...['', '', '', ' ', ' ', '\n', '\r\n', ',', '\t', '\ufeff', ' ,, '],
  ...['#\n', '# } "\n', '#{#\r', '# 😀 """\n', '#,\u2028\n'],
]

interface Style {
  blanks: number[]
  /** The name of the operation; required with a second operation. */
  name?: string
  /** An operation that is not executed, before or after the executed one. */
  other?: 'before' | 'after'
  shorthand: boolean
  /** How the ids of each service are passed. */
  ids: ('literal' | 'variable' | 'default' | 'strict')[]
  swapped: boolean
  named: boolean
  first: boolean
}
const style: Arbitrary<Style> = fc.record(
  {
    blanks: fc.array(fc.nat({ max: BLANKS.length - 1 }), { minLength: 1, maxLength: 12 }),
    name: fc.constantFrom(...NAMES),
    other: fc.constantFrom('before', 'after'),
    shorthand: fc.boolean(),
    ids: fc.tuple(
      ...[0, 1].map(() => fc.constantFrom('literal', 'literal', 'literal', 'variable', 'default', 'strict')),
    ),
    swapped: fc.boolean(),
    named: fc.boolean(),
    first: fc.boolean(),
  },
  { requiredKeys: ['blanks', 'shorthand', 'ids', 'swapped', 'named', 'first'], noNullPrototype: true },
) as Arbitrary<Style>

export interface WrittenQuery {
  selection: Selection[]
  tokens: string[]
  blanks: number[]
  aliases: number
  operationName?: string
  variables?: Record<string, number>
}

/** The tokens of a request with this selection. */
function writeQuery(selection: Selection[], style: Style, user: number, services: number[]): WrittenQuery {
  const fragments: string[] = []
  let aliases = 0
  const used = new Set<number>()

  const directiveTokens = (directive: Directive | undefined): string[] =>
    directive ? ['@', directive.name, '(', 'if', ':', String(directive.if), ')'] : []
  const argumentsOf = (service: number): string[] => {
    used.add(service)
    const isLiteral = style.ids[service] === 'literal'
    const user_id = ['user_id', ':', ...(isLiteral ? [String(user)] : ['$', `u${service}`])]
    const service_id = ['service_id', ':', ...(isLiteral ? [String(services[service])] : ['$', `s${service}`])]
    return ['(', ...(style.swapped ? [...service_id, ...user_id] : [...user_id, ...service_id]), ')']
  }
  const set = (nodes: Selection[]): string[] => ['{', ...nodes.flatMap(one), '}']
  const one = (node: Selection): string[] => {
    if ('name' in node) {
      if (node.alias) aliases++
      return [
        ...(node.alias ? [node.alias, ':'] : []),
        node.name,
        ...(node.service === undefined ? [] : argumentsOf(node.service)),
        ...directiveTokens(node.directive),
        ...(node.of ? set(node.of) : []),
      ]
    }
    const { type, part, spread, untyped } = node
    if (spread === 0) return ['...', ...(untyped ? [] : ['on', type]), ...directiveTokens(node.directive), ...set(part)]
    const inside = set(part)
    const name = `${NAMES[fragments.length % NAMES.length]}${fragments.length}`
    fragments.push(['fragment', name, 'on', type, ...inside].join('\u0000'))
    return Array.from({ length: spread }, () => ['...', name, ...directiveTokens(node.directive)]).flat()
  }

  const body = set(selection)
  const variables: Record<string, number> = {}
  const declared: string[] = []
  for (const n of used) {
    const notation = style.ids[n]!
    if (notation === 'literal') continue
    for (const [name, value] of [
      [`u${n}`, user],
      [`s${n}`, services[n]!],
    ] as const) {
      declared.push('$', name, ':', 'Int', ...(notation === 'strict' ? ['!'] : []))
      if (notation === 'default') declared.push('=', String(value))
      else variables[name] = value
    }
  }
  const name = style.name ?? (style.other && 'Meant')
  const head =
    name === undefined && declared.length === 0 && style.shorthand
      ? []
      : ['query', ...(name === undefined ? [] : [name]), ...(declared.length > 0 ? ['(', ...declared, ')'] : [])]
  const operation = [...head, ...body]
  const other = ['query', 'Another', '{', '__typename', '}']
  const operations = [
    ...(style.other === 'before' ? other : []),
    ...operation,
    ...(style.other === 'after' ? other : []),
  ]
  const more = fragments.flatMap((text) => text.split('\u0000'))
  return {
    selection,
    tokens: style.first ? [...more, ...operations] : [...operations, ...more],
    blanks: style.blanks,
    aliases,
    ...(name !== undefined && (style.named || style.other) && { operationName: name }),
    ...(Object.keys(variables).length > 0 && { variables }),
  }
}

/** Any valid query of a seller's two services. */
export const queries = (user: number, services: number[]): Arbitrary<WrittenQuery> =>
  fc
    .tuple(fc.array(fieldOf('configuration', 'Configuration', 2), { minLength: 1, maxLength: 2 }), rootParts, style)
    .map(([fields, parts, style]) => writeQuery([...fields, ...parts], style, user, services))
/** Occasionally a fragment of the root type, in addition to the configurations. */
const rootParts: Arbitrary<Selection[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Selection[]>([]) },
  { weight: 1, arbitrary: selectionOf('Query', 1).map((found) => found.slice(0, 1)) },
)

/** The text, with blanks between tokens and at least one where two tokens would merge. */
export function textOf(tokens: string[], blanks: number[]): string {
  let text = ''
  for (const [n, token] of tokens.entries()) {
    const blank = BLANKS[blanks[n % blanks.length]!]!
    text += blank === '' && /\w$/.test(text) && /^[\w."]/.test(token) ? ' ' : blank
    text += token
  }
  return text
}

// Expected answers

type Json = unknown
type Configuration = Record<string, Json>

/** The answer to a query, computed from the complete configurations of both services. */
export const answerOf = ({ selection }: WrittenQuery, configurations: Configuration[]): Json =>
  project('Query', selection, {}, configurations)

function project(type: string, selection: Selection[], from: Configuration, configurations: Configuration[]): Json {
  const found = new Map<string, { field: Field; of: Selection[] }>()
  const collect = (nodes: Selection[]) => {
    for (const node of nodes) {
      if (node.directive && node.directive.if === (node.directive.name === 'skip')) continue
      if (!('name' in node)) {
        collect(node.part)
        continue
      }
      const name = node.alias ?? node.name
      const { of } = found.get(name) ?? {}
      found.set(name, { field: node, of: [...(of ?? []), ...(node.of ?? [])] })
    }
  }
  collect(selection)
  return Object.fromEntries(
    [...found].map(([name, { field, of }]) => {
      if (field.name === '__typename') return [name, type]
      const value = field.service === undefined ? from[field.name] : configurations[field.service]
      if (!field.type || value === null) return [name, value]
      const part = (one: Json) => project(field.type!, of, one as Configuration, configurations)
      return [name, Array.isArray(value) ? value.map(part) : part(value)]
    }),
  )
}

// Invalid queries

const TOKENS = [
  ...['{', '}', '(', ')', '[', ']', ':', '!', '=', '@', '$', '&', '|', '...', '.', '"', '"""', '""', '#', '\\', '%'],
  ...[
    '0',
    '-1',
    '01',
    '1.5',
    '1e400',
    '99999999999999999999',
    '736230',
    'true',
    'null',
    '"a"',
    '"""a"""',
    '"\\u{110000}"',
  ],
  ...['query', 'mutation', 'subscription', 'fragment', 'on', 'type', 'schema', 'extend', '__schema', '__type'],
  ...[
    '__typename',
    'configuration',
    'id',
    'week',
    'Configuration',
    'Int',
    'a',
    'ñ',
    '\u0000',
    '\ud800',
    '😀',
    '\ufeff',
  ],
]

/** A query with one token deleted, duplicated, swapped or replaced. */
export const broken = (user: number, services: number[]): Arbitrary<WrittenQuery> =>
  fc
    .record({
      query: queries(user, services),
      way: fc.constantFrom('delete', 'double', 'swap', 'replace'),
      at: fc.nat({ max: 999 }),
      with: fc.nat({ max: 999 }),
      token: fc.constantFrom(...TOKENS),
    })
    .map(({ query, way, at, with: other, token }) => {
      const { tokens } = query
      const one = at % tokens.length
      const two = other % tokens.length
      const changed = [...tokens]
      if (way === 'delete') changed.splice(one, 1)
      if (way === 'double') changed.splice(one, 0, tokens[one]!)
      if (way === 'replace') changed[one] = token
      if (way === 'swap') [changed[one], changed[two]] = [tokens[two]!, tokens[one]!]
      return { ...query, tokens: changed }
    })

/** Random texts of GraphQL tokens. */
export const randomTokens: Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(...BLANKS)), { maxLength: 40 })
  .map((pieces) => pieces.join(' '))

// Expensive queries

/** The size limit of a text as JSON, without its surroundings. */
const MAX_TEXT_BYTES = 1024 * 1024 - 64

/** As many repetitions as fit into a body. */
const repeatToLimit = (piece: string, room = MAX_TEXT_BYTES): string =>
  piece.repeat(Math.floor(room / (Buffer.byteLength(JSON.stringify(piece)) - 2)))

/** Expensive queries by name, up to the size of a body. */
export function expensiveQueries(user: number, service: number): Record<string, string> {
  const root = `configuration(user_id: ${user}, service_id: ${service})`
  const nested = (n: number, piece: string) => `{ ${root} ${piece.repeat(n)} { radius }${'}'.repeat(n)} }`
  const aliases = (n: number) =>
    `{ ${root} { ${Array.from({ length: n }, (_, i) => `a${i}: radius`).join(' ')} radius } }`
  const chain = (n: number, end: string) =>
    `{ ${root} { ...F0 } } ${Array.from({ length: n }, (_, i) => `fragment F${i} on Configuration { ${i < n - 1 ? `...F${i + 1}` : end} }`).join(' ')}`
  const spreads = (n: number, wide: number) =>
    `{ ${root} { ...F0 } } ${Array.from({ length: n }, (_, i) => `fragment F${i} on Configuration { ${i < n - 1 ? `...F${i + 1} `.repeat(wide) : 'radius'} }`).join(' ')}`
  const fields = (n: number, piece: string) => `{ ${root} { ${piece.repeat(n)} } }`
  const withComment = (inside: string) => `{ ${root} { radius } } ${inside}`
  return {
    ...Object.fromEntries([0, 1, 49, 50, 51, 120].map((n) => [`${n} aliases`, aliases(n)])),
    ...Object.fromEntries(
      [1, 8, 9, 10, 200].map((n) => [`${n} levels of inline fragments`, nested(n, '{ ... on Configuration ')]),
    ),
    '9 levels of fields': `{ ${root} ${'{ address '.repeat(9)} { id }${'}'.repeat(9)} }`,
    '8 levels of fields': `{ ${root} ${'{ address '.repeat(8)} { id }${'}'.repeat(8)} }`,
    'levels of fields up to the size of a body': repeatToLimit('{a'),
    'levels of lists': `{ configuration(user_id: ${repeatToLimit('[', MAX_TEXT_BYTES - 100)}`,
    'levels of objects': `{ configuration(user_id: ${repeatToLimit('{a:', MAX_TEXT_BYTES - 100)}`,
    'levels of types': `query ($a: ${repeatToLimit('[', MAX_TEXT_BYTES - 100)}`,
    'tokens: 1000': fields(1, `radius radius radius ${'__typename @include(if: true) '.repeat(123)}`),
    'tokens: 1001': fields(1, `radius radius radius radius ${'__typename @include(if: true) '.repeat(123)}`),
    'tokens: one field': fields(970, 'radius '),
    'tokens: typename': fields(970, '__typename '),
    'tokens: many objects that merge': fields(240, 'zones { id } '),
    'tokens: many objects that merge, deep': fields(160, 'zones { price { cents } } '),
    'tokens: many inline fragments': fields(150, '... on Configuration { radius } '),
    'tokens: many untyped fragments': fields(230, '... { radius } '),
    'tokens: as many as a body can hold': repeatToLimit('a '),
    'tokens: braces': repeatToLimit('{'),
    'tokens: closing braces': repeatToLimit('}'),
    'tokens: dots': repeatToLimit('...'),
    'tokens: directives': fields(190, 'radius @include(if: true) '),
    'tokens: directives on one field': fields(1, `radius ${'@include(if: true) '.repeat(150)}`),
    'tokens: directives unknown': fields(1, `radius ${'@a '.repeat(450)}`),
    'tokens: unknown fields': fields(900, 'nothing '),
    'tokens: different unknown fields': fields(1, Array.from({ length: 960 }, (_, i) => `n${i}`).join(' ')),
    'tokens: unknown arguments': `{ configuration(${Array.from({ length: 300 }, (_, i) => `a${i}: 1`).join(' ')}) { radius } }`,
    'tokens: the same argument': `{ configuration(${'user_id: 1 '.repeat(300)}) { radius } }`,
    'tokens: variables': `query (${Array.from({ length: 240 }, (_, i) => `$v${i}: Int`).join(' ')}) { ${root} { radius } }`,
    'tokens: the same variable': `query (${'$v: Int '.repeat(240)}) { ${root} { radius } }`,
    'tokens: operations': Array.from({ length: 190 }, (_, i) => `query Q${i} { __typename }`).join(' '),
    'tokens: operations of one name': 'query Q { __typename } '.repeat(190),
    'tokens: operations without a name': '{ __typename } '.repeat(300),
    'tokens: definitions of types': 'type T { a: Int } '.repeat(120),
    'fragments: a chain': chain(130, 'radius'),
    'fragments: a chain into itself': chain(130, '...F0'),
    'fragments: a chain to nowhere': chain(130, '...X'),
    'fragments: each into itself': `{ ${root} { radius } } ${Array.from({ length: 130 }, (_, i) => `fragment F${i} on Configuration { ...F${i} }`).join(' ')}`,
    'fragments: exponential, 2 wide': spreads(85, 2),
    'fragments: exponential, 10 wide': spreads(38, 10),
    'fragments: exponential, 30 wide': spreads(14, 30),
    'fragments: exponential, 100 wide': spreads(5, 95),
    'fragments: exponential with fields': `{ ${root} { ...F0 } } ${Array.from({ length: 30 }, (_, i) => `fragment F${i} on Configuration { ${i < 29 ? `zones { id } ...F${i + 1} ...F${i + 1} address { id } ...F${i + 1}` : 'radius'} }`).join(' ')}`,
    'fragments: all into all': `{ ${root} { ...F0 } } ${Array.from({ length: 20 }, (_, i) => `fragment F${i} on Configuration { ${Array.from({ length: 20 }, (_, k) => `...F${k}`).join(' ')} }`).join(' ')}`,
    'fragments: all into all later ones': `{ ${root} { ...F0 } } ${Array.from({ length: 26 }, (_, i) => `fragment F${i} on Configuration { radius ${Array.from({ length: 25 - i }, (_, k) => `...F${i + k + 1}`).join(' ')} }`).join(' ')}`,
    'fragments: on zones, merged': `{ ${root} { ${'zones { ...F0 } '.repeat(60)} } } ${Array.from({ length: 60 }, (_, i) => `fragment F${i} on Zone { id ${i < 59 ? `price { cents } ...F${i + 1}` : ''} }`).join(' ')}`,
    'fragments: of one name': withComment('fragment F on Configuration { radius } '.repeat(130)),
    'fragments: unused': withComment(
      Array.from({ length: 130 }, (_, i) => `fragment F${i} on Configuration { radius }`).join(' '),
    ),
    'fragments: inside themselves by fields': `{ ${root} { ...F } } fragment F on Configuration { address { ...G } } fragment G on Address { city { ...H } } fragment H on City { ...H }`,
    'names: a huge field': `{ ${repeatToLimit('a', MAX_TEXT_BYTES - 10)} }`,
    'names: a huge alias': `{ ${repeatToLimit('a', MAX_TEXT_BYTES - 200)}: ${root} { radius } }`,
    'names: a huge variable': `query ($${repeatToLimit('a', MAX_TEXT_BYTES - 100)}: Int) { a }`,
    'names: a huge type': `query ($a: ${repeatToLimit('a', MAX_TEXT_BYTES - 100)}) { a }`,
    'names: 900 of a thousand characters': fields(
      1,
      Array.from({ length: 900 }, (_, i) => `${'n'.repeat(1000)}${i}`).join(' '),
    ),
    'names: known ones and a letter more': fields(300, 'delivery_windowx delivery_rangesx availablesx '),
    'numbers: an integer': `{ configuration(user_id: ${repeatToLimit('9', MAX_TEXT_BYTES - 100)}, service_id: 1) { radius } }`,
    'numbers: a fraction': `{ configuration(user_id: 1.${repeatToLimit('9', MAX_TEXT_BYTES - 100)}, service_id: 1) { radius } }`,
    'numbers: an exponent': `{ configuration(user_id: 1e${repeatToLimit('9', MAX_TEXT_BYTES - 100)}, service_id: 1) { radius } }`,
    'numbers: a default': `query ($a: Int = ${repeatToLimit('9', MAX_TEXT_BYTES - 200)}) { configuration(user_id: $a, service_id: 1) { radius } }`,
    'comments: one': withComment(`#${repeatToLimit('x', MAX_TEXT_BYTES - 200)}`),
    'comments: many': withComment(repeatToLimit('#\n', MAX_TEXT_BYTES - 200)),
    'comments: never ending': repeatToLimit('#'),
    'blanks: spaces': withComment(repeatToLimit(' ', MAX_TEXT_BYTES - 200)),
    'blanks: lines': withComment(repeatToLimit('\n', MAX_TEXT_BYTES - 200)),
    'blanks: returns and lines': withComment(repeatToLimit('\r\n', MAX_TEXT_BYTES - 200)),
    'blanks: commas': repeatToLimit(',', MAX_TEXT_BYTES),
    'blanks: byte order marks': withComment(repeatToLimit('\ufeff', MAX_TEXT_BYTES - 200)),
    'strings: one': `{ configuration(user_id: "${repeatToLimit('x', MAX_TEXT_BYTES - 200)}") { radius } }`,
    'strings: escapes': `{ configuration(user_id: "${repeatToLimit('\\n', MAX_TEXT_BYTES - 200)}") { radius } }`,
    'strings: code points': `{ configuration(user_id: "${repeatToLimit('\\u{1F600}', MAX_TEXT_BYTES - 200)}") { radius } }`,
    'strings: not closed': `{ configuration(user_id: "${repeatToLimit('x', MAX_TEXT_BYTES - 200)}`,
    'strings: huge code point': `{ configuration(user_id: "\\u{${repeatToLimit('0', MAX_TEXT_BYTES - 200)}}") { radius } }`,
    'strings: many': `{ configuration(user_id: [${'"" '.repeat(900)}]) { radius } }`,
    'block strings: lines': `{ configuration(user_id: """${repeatToLimit('\n', MAX_TEXT_BYTES - 200)}""") { radius } }`,
    'block strings: indented lines': `{ configuration(user_id: """${repeatToLimit('  x\n', MAX_TEXT_BYTES - 200)}""") { radius } }`,
    'block strings: not closed': `{ configuration(user_id: """${repeatToLimit('\n x', MAX_TEXT_BYTES - 200)}`,
    'block strings: quotes': `{ configuration(user_id: """${repeatToLimit('\\"""', MAX_TEXT_BYTES - 200)}""") { radius } }`,
    'block strings: the longest that is read': `{ configuration(user_id: """${repeatToLimit('\n', 120_000)}""") { radius } }`,
    'block strings: the longest, indented': `{ configuration(user_id: """${' '.repeat(100)}${repeatToLimit('\n  ', 80_000)}""") { radius } }`,
    'descriptions before a query': `"""${'x\n'.repeat(20_000)}""" ${withComment('')}`,
    'unicode: astral': withComment(repeatToLimit('😀', MAX_TEXT_BYTES - 200)),
    'unicode: halves of pairs': withComment(repeatToLimit('\ud800', MAX_TEXT_BYTES - 200)),
    'unicode: nulls': withComment(repeatToLimit('\u0000', MAX_TEXT_BYTES - 200)),
    'unicode: line separators': withComment(repeatToLimit('\u2028', MAX_TEXT_BYTES - 200)),
  }
}

/** Expensive JSON values by name. */
export const expensiveValues = (): Record<string, string> => ({
  'lists of 10,000 levels': '['.repeat(10_000) + ']'.repeat(10_000),
  'lists of 500,000 levels': '['.repeat(500_000) + ']'.repeat(500_000),
  'objects of 150,000 levels': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  'a list of 500,000': `[${'0,'.repeat(500_000)}0]`,
  'an object of 70,000': `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  'a text': `"${repeatToLimit('x', MAX_TEXT_BYTES - 200)}"`,
  'a number': repeatToLimit('9', MAX_TEXT_BYTES - 200),
})
