import fc, { type Arbitrary } from 'fast-check'

// Queries of the Flex configuration, made from the fields that the contract names, and what they must select: a
// reference that knows nothing of how the server does it.

type Shape = string | null
/** Of each type its fields, and the type of those that are objects or lists of objects. */
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

/** Everything that can be selected of a type. */
export function whole(type: string): string {
  const fields = Object.entries(TYPES[type]!).map(([name, of]) => (of === null ? name : `${name} ${whole(of)}`))
  return `{ ${fields.join(' ')} }`
}

/** The query for all of one configuration. */
export const wholeQuery = (user_id: number, service_id: number): string =>
  `{ configuration(user_id: ${user_id}, service_id: ${service_id}) ${whole('Configuration')} }`

// What is selected

interface Directive {
  /** include or skip. */
  name: string
  if: boolean
}

interface Field {
  name: string
  alias?: string | undefined
  directive?: Directive | undefined
  /** The type that `of` selects from; undefined for a leaf. */
  type?: string
  of?: Selection[] | undefined
  /** Of a configuration: which of the seller's services, counted from 0. */
  service?: number | undefined
}
/** Part of a selection: inline, or in a fragment of its own that is spread once or twice. */
interface Part {
  type: string
  part: Selection[]
  directive?: Directive | undefined
  spread: 0 | 1 | 2
  /** `... { }` instead of `... on Type { }`. */
  untyped?: boolean
}
type Selection = Field | Part

const seldom = <T>(one: Arbitrary<T>, times: number): Arbitrary<T | undefined> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: one })

const directive: Arbitrary<Directive | undefined> = seldom(
  fc.record({ name: fc.constantFrom('include', 'skip'), if: fc.boolean() }),
  12,
)

/** A second name always stands for the same field, so that no two selections contradict each other. */
const ALIASES: ((name: string) => string)[] = [(name) => `_${name}`, (name) => `${name}2`, (name) => `Z${name}`]
const second = (name: string): Arbitrary<string | undefined> =>
  seldom(fc.constantFrom(...ALIASES.map((make) => make(name))), 4)

const selections = new Map<string, Arbitrary<Selection[]>>()

/** Any selection of a type; fragments go `deep` levels into each other. */
function selectionOf(type: string, deep: number): Arbitrary<Selection[]> {
  const key = `${type} ${deep}`
  const known = selections.get(key)
  if (known) return known
  const field = fc.oneof(
    ...Object.entries(TYPES[type]!).map(([name, of]) => fieldOf(name, of, deep)),
    fieldOf('__typename', null, deep),
  )
  const part = (): Arbitrary<Part> =>
    fc.record({
      type: fc.constant(type),
      part: selectionOf(type, deep - 1),
      directive,
      spread: fc.constantFrom(0, 1, 2),
      untyped: fc.boolean(),
    })
  const one = deep > 0 ? fc.oneof({ weight: 4, arbitrary: field }, { weight: 1, arbitrary: part() }) : field
  const made = fc.array(one, { minLength: 1, maxLength: type === 'Configuration' ? 5 : 2 })
  selections.set(key, made)
  return made
}

function fieldOf(name: string, type: Shape, deep: number): Arbitrary<Field> {
  const service = name === 'configuration' ? fc.constantFrom(0, 1) : fc.constant(undefined)
  return fc
    .record({ alias: second(name), directive, of: type ? selectionOf(type, deep) : fc.constant(undefined), service })
    .map((field) => ({
      name,
      ...field,
      ...(type && { type }),
      // The same name cannot stand for two services.
      ...(field.service === 1 && { alias: field.alias ? `t${field.alias}` : 't' }),
    }))
}

// How it is written

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
/** What may stand between tokens, and stands for nothing. */
const BLANKS = [
  ...['', '', '', ' ', ' ', '\n', '\r\n', ',', '\t', '\ufeff', ' ,, '],
  ...['#\n', '# } "\n', '#{#\r', '# 😀 """\n', '#,\u2028\n'],
]

interface Style {
  blanks: number[]
  /** The name of the operation; a further one needs it. */
  name?: string
  /** An operation that is not meant, before or after the one that is. */
  other?: 'before' | 'after'
  shorthand: boolean
  /** How the ids are given, for each service. */
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

export interface Written {
  selection: Selection[]
  tokens: string[]
  blanks: number[]
  aliases: number
  operationName?: string
  variables?: Record<string, number>
}

/** The tokens of a request that selects so from a seller's services. */
function written(selection: Selection[], style: Style, user: number, services: number[]): Written {
  const fragments: string[] = []
  let aliases = 0
  const used = new Set<number>()

  const marked = (directive: Directive | undefined): string[] =>
    directive ? ['@', directive.name, '(', 'if', ':', String(directive.if), ')'] : []
  const argumentsOf = (service: number): string[] => {
    used.add(service)
    const given = style.ids[service] === 'literal'
    const user_id = ['user_id', ':', ...(given ? [String(user)] : ['$', `u${service}`])]
    const service_id = ['service_id', ':', ...(given ? [String(services[service])] : ['$', `s${service}`])]
    return ['(', ...(style.swapped ? [...service_id, ...user_id] : [...user_id, ...service_id]), ')']
  }
  const set = (those: Selection[]): string[] => ['{', ...those.flatMap(one), '}']
  const one = (node: Selection): string[] => {
    if ('name' in node) {
      if (node.alias) aliases++
      return [
        ...(node.alias ? [node.alias, ':'] : []),
        node.name,
        ...(node.service === undefined ? [] : argumentsOf(node.service)),
        ...marked(node.directive),
        ...(node.of ? set(node.of) : []),
      ]
    }
    const { type, part, spread, untyped } = node
    if (spread === 0) return ['...', ...(untyped ? [] : ['on', type]), ...marked(node.directive), ...set(part)]
    const inside = set(part)
    const name = `${NAMES[fragments.length % NAMES.length]}${fragments.length}`
    fragments.push(['fragment', name, 'on', type, ...inside].join('\u0000'))
    return Array.from({ length: spread }, () => ['...', name, ...marked(node.directive)]).flat()
  }

  const body = set(selection)
  const variables: Record<string, number> = {}
  const declared: string[] = []
  for (const n of used) {
    const way = style.ids[n]!
    if (way === 'literal') continue
    for (const [name, value] of [
      [`u${n}`, user],
      [`s${n}`, services[n]!],
    ] as const) {
      declared.push('$', name, ':', 'Int', ...(way === 'strict' ? ['!'] : []))
      if (way === 'default') declared.push('=', String(value))
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

/** Any query of a seller's two services that means something. */
export const queries = (user: number, services: number[]): Arbitrary<Written> =>
  fc
    .tuple(fc.array(fieldOf('configuration', 'Configuration', 2), { minLength: 1, maxLength: 2 }), rootParts, style)
    .map(([fields, parts, style]) => written([...fields, ...parts], style, user, services))
/** Beside the configurations, now and then a fragment of the root. */
const rootParts: Arbitrary<Selection[]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Selection[]>([]) },
  { weight: 1, arbitrary: selectionOf('Query', 1).map((found) => found.slice(0, 1)) },
)

/** The text: blanks between all tokens, and where two would grow together, at least one. */
export function textOf(tokens: string[], blanks: number[]): string {
  let text = ''
  for (const [n, token] of tokens.entries()) {
    const blank = BLANKS[blanks[n % blanks.length]!]!
    text += blank === '' && /\w$/.test(text) && /^[\w."]/.test(token) ? ' ' : blank
    text += token
  }
  return text
}

// What it must answer

type Json = unknown
type Configuration = Record<string, Json>

/** The answer to what is written, out of the whole configurations of both services. */
export const answerOf = ({ selection }: Written, configurations: Configuration[]): Json =>
  projected('Query', selection, {}, configurations)

function projected(type: string, selection: Selection[], from: Configuration, whole: Configuration[]): Json {
  const found = new Map<string, { field: Field; of: Selection[] }>()
  const gather = (those: Selection[]) => {
    for (const node of those) {
      if (node.directive && node.directive.if === (node.directive.name === 'skip')) continue
      if (!('name' in node)) {
        gather(node.part)
        continue
      }
      const name = node.alias ?? node.name
      const { of } = found.get(name) ?? {}
      found.set(name, { field: node, of: [...(of ?? []), ...(node.of ?? [])] })
    }
  }
  gather(selection)
  return Object.fromEntries(
    [...found].map(([name, { field, of }]) => {
      if (field.name === '__typename') return [name, type]
      const value = field.service === undefined ? from[field.name] : whole[field.service]
      if (!field.type || value === null) return [name, value]
      const part = (one: Json) => projected(field.type!, of, one as Configuration, whole)
      return [name, Array.isArray(value) ? value.map(part) : part(value)]
    }),
  )
}

// What is wrong

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

/** A query with one token deleted, doubled, swapped with another, or replaced. */
export const broken = (user: number, services: number[]): Arbitrary<Written> =>
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

/** Texts made of what queries are made of, in any order. */
export const salad: Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), fc.constantFrom(...BLANKS)), { maxLength: 40 })
  .map((pieces) => pieces.join(' '))

// What is too much

/** Bytes that a text may have, as JSON, beside what stands around it. */
const ROOM = 1024 * 1024 - 64

/** As many pieces as a body can hold. */
const filled = (piece: string, room = ROOM): string =>
  piece.repeat(Math.floor(room / (Buffer.byteLength(JSON.stringify(piece)) - 2)))

/** Texts made to keep a server busy, by name; up to the size of a body. */
export function worst(user: number, service: number): Record<string, string> {
  const root = `configuration(user_id: ${user}, service_id: ${service})`
  const nested = (n: number, piece: string) => `{ ${root} ${piece.repeat(n)} { radius }${'}'.repeat(n)} }`
  const aliases = (n: number) =>
    `{ ${root} { ${Array.from({ length: n }, (_, i) => `a${i}: radius`).join(' ')} radius } }`
  const chain = (n: number, end: string) =>
    `{ ${root} { ...F0 } } ${Array.from({ length: n }, (_, i) => `fragment F${i} on Configuration { ${i < n - 1 ? `...F${i + 1}` : end} }`).join(' ')}`
  const spreads = (n: number, wide: number) =>
    `{ ${root} { ...F0 } } ${Array.from({ length: n }, (_, i) => `fragment F${i} on Configuration { ${i < n - 1 ? `...F${i + 1} `.repeat(wide) : 'radius'} }`).join(' ')}`
  const fields = (n: number, piece: string) => `{ ${root} { ${piece.repeat(n)} } }`
  const around = (inside: string) => `{ ${root} { radius } } ${inside}`
  return {
    ...Object.fromEntries([0, 1, 49, 50, 51, 120].map((n) => [`${n} aliases`, aliases(n)])),
    ...Object.fromEntries(
      [1, 8, 9, 10, 200].map((n) => [`${n} levels of inline fragments`, nested(n, '{ ... on Configuration ')]),
    ),
    '9 levels of fields': `{ ${root} ${'{ address '.repeat(9)} { id }${'}'.repeat(9)} }`,
    '8 levels of fields': `{ ${root} ${'{ address '.repeat(8)} { id }${'}'.repeat(8)} }`,
    'levels of fields up to the size of a body': filled('{a'),
    'levels of lists': `{ configuration(user_id: ${filled('[', ROOM - 100)}`,
    'levels of objects': `{ configuration(user_id: ${filled('{a:', ROOM - 100)}`,
    'levels of types': `query ($a: ${filled('[', ROOM - 100)}`,
    'tokens: 1000': fields(1, `radius radius radius ${'__typename @include(if: true) '.repeat(123)}`),
    'tokens: 1001': fields(1, `radius radius radius radius ${'__typename @include(if: true) '.repeat(123)}`),
    'tokens: one field': fields(970, 'radius '),
    'tokens: typename': fields(970, '__typename '),
    'tokens: many objects that merge': fields(240, 'zones { id } '),
    'tokens: many objects that merge, deep': fields(160, 'zones { price { cents } } '),
    'tokens: many inline fragments': fields(150, '... on Configuration { radius } '),
    'tokens: many untyped fragments': fields(230, '... { radius } '),
    'tokens: as many as a body can hold': filled('a '),
    'tokens: braces': filled('{'),
    'tokens: closing braces': filled('}'),
    'tokens: dots': filled('...'),
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
    'fragments: of one name': around('fragment F on Configuration { radius } '.repeat(130)),
    'fragments: unused': around(
      Array.from({ length: 130 }, (_, i) => `fragment F${i} on Configuration { radius }`).join(' '),
    ),
    'fragments: inside themselves by fields': `{ ${root} { ...F } } fragment F on Configuration { address { ...G } } fragment G on Address { city { ...H } } fragment H on City { ...H }`,
    'names: a huge field': `{ ${filled('a', ROOM - 10)} }`,
    'names: a huge alias': `{ ${filled('a', ROOM - 200)}: ${root} { radius } }`,
    'names: a huge variable': `query ($${filled('a', ROOM - 100)}: Int) { a }`,
    'names: a huge type': `query ($a: ${filled('a', ROOM - 100)}) { a }`,
    'names: 900 of a thousand letters': fields(
      1,
      Array.from({ length: 900 }, (_, i) => `${'n'.repeat(1000)}${i}`).join(' '),
    ),
    'names: known ones and a letter more': fields(300, 'delivery_windowx delivery_rangesx availablesx '),
    'numbers: an integer': `{ configuration(user_id: ${filled('9', ROOM - 100)}, service_id: 1) { radius } }`,
    'numbers: a fraction': `{ configuration(user_id: 1.${filled('9', ROOM - 100)}, service_id: 1) { radius } }`,
    'numbers: an exponent': `{ configuration(user_id: 1e${filled('9', ROOM - 100)}, service_id: 1) { radius } }`,
    'numbers: a default': `query ($a: Int = ${filled('9', ROOM - 200)}) { configuration(user_id: $a, service_id: 1) { radius } }`,
    'comments: one': around(`#${filled('x', ROOM - 200)}`),
    'comments: many': around(filled('#\n', ROOM - 200)),
    'comments: never ending': filled('#'),
    'blanks: spaces': around(filled(' ', ROOM - 200)),
    'blanks: lines': around(filled('\n', ROOM - 200)),
    'blanks: returns and lines': around(filled('\r\n', ROOM - 200)),
    'blanks: commas': filled(',', ROOM),
    'blanks: byte order marks': around(filled('\ufeff', ROOM - 200)),
    'strings: one': `{ configuration(user_id: "${filled('x', ROOM - 200)}") { radius } }`,
    'strings: escapes': `{ configuration(user_id: "${filled('\\n', ROOM - 200)}") { radius } }`,
    'strings: code points': `{ configuration(user_id: "${filled('\\u{1F600}', ROOM - 200)}") { radius } }`,
    'strings: not closed': `{ configuration(user_id: "${filled('x', ROOM - 200)}`,
    'strings: huge code point': `{ configuration(user_id: "\\u{${filled('0', ROOM - 200)}}") { radius } }`,
    'strings: many': `{ configuration(user_id: [${'"" '.repeat(900)}]) { radius } }`,
    'block strings: lines': `{ configuration(user_id: """${filled('\n', ROOM - 200)}""") { radius } }`,
    'block strings: indented lines': `{ configuration(user_id: """${filled('  x\n', ROOM - 200)}""") { radius } }`,
    'block strings: not closed': `{ configuration(user_id: """${filled('\n x', ROOM - 200)}`,
    'block strings: quotes': `{ configuration(user_id: """${filled('\\"""', ROOM - 200)}""") { radius } }`,
    'block strings: the longest that is read': `{ configuration(user_id: """${filled('\n', 120_000)}""") { radius } }`,
    'block strings: the longest, indented': `{ configuration(user_id: """${' '.repeat(100)}${filled('\n  ', 80_000)}""") { radius } }`,
    'descriptions before a query': `"""${'x\n'.repeat(20_000)}""" ${around('')}`,
    'unicode: astral': around(filled('😀', ROOM - 200)),
    'unicode: halves of pairs': around(filled('\ud800', ROOM - 200)),
    'unicode: nulls': around(filled('\u0000', ROOM - 200)),
    'unicode: line separators': around(filled('\u2028', ROOM - 200)),
  }
}

/** Values of JSON made to keep a server busy, by name. */
export const worstValues = (): Record<string, string> => ({
  'lists of 10,000 levels': '['.repeat(10_000) + ']'.repeat(10_000),
  'lists of 500,000 levels': '['.repeat(500_000) + ']'.repeat(500_000),
  'objects of 150,000 levels': `${'{"a":'.repeat(150_000)}1${'}'.repeat(150_000)}`,
  'a list of 500,000': `[${'0,'.repeat(500_000)}0]`,
  'an object of 70,000': `{${Array.from({ length: 70_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
  'a text': `"${filled('x', ROOM - 200)}"`,
  'a number': filled('9', ROOM - 200),
})
