import fc, { type Arbitrary } from 'fast-check'
import { CONFIGURATION_FIELDS } from '../support/flex.ts'

// Queries of the Flex configuration with all that GraphQL allows [spec: flex.query.language], and hostile ones.

/** A query of one complete configuration. */
export const fullQuery = (user_id: number, service_id: number): string =>
  `{ configuration ( user_id : ${user_id} service_id : ${service_id} ) { ${CONFIGURATION_FIELDS.join(' ')} } }`

interface Body {
  operationName?: string
  variables?: Record<string, number>
}
interface Written extends Body {
  /** Its tokens, each followed by a blank. */
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a query selects any member of a configuration
  selects(flex: any, turbo: any): unknown
}

/** Queries of a seller's two services, with what they select of both complete configurations. */
export function queriesOf(user: number, [flexId, turboId]: number[]): Record<string, Written> {
  const of = (service = flexId) => `configuration ( user_id : ${user} service_id : ${service} )`
  return {
    everything: {
      text: fullQuery(user, flexId!),
      selects: (flex) => ({ configuration: flex }),
    },
    'everything of another mode': {
      text: fullQuery(user, turboId!),
      selects: (_, turbo) => ({ configuration: turbo }),
    },
    'aliases, and arguments in another order': {
      text: `{ b : configuration ( service_id : ${turboId} user_id : ${user} ) { r : radius radius }
        ${of()} { radius : delivery_window kind : __typename } }`,
      selects: ({ delivery_window }, { radius }) => ({
        b: { r: radius, radius },
        configuration: { radius: delivery_window, kind: 'Configuration' },
      }),
    },
    'fields that are repeated': {
      text: `{ ${of()} { zones { id } address { id } radius @ skip ( if : true ) zones { label id } radius
        address { city { name } } address { city { name id } } zones { id } } ${of()} { radius is_moderated } }`,
      selects: ({ zones, address: { id, city }, radius, is_moderated }) => ({
        configuration: {
          zones: zones.map(({ id, label }: Record<string, unknown>) => ({ id, label })),
          address: { id, city: { name: city.name, id: city.id } },
          radius,
          is_moderated,
        },
      }),
    },
    fragments: {
      text: `query mutation { ${of()} { ... query ... on Configuration { working_days } ... { is_moderated } ... query } }
        fragment query on Configuration { subscription { ... _ status { id } ... _ } }
        fragment _ on Subscription { user_id status { __typename } }`,
      selects: ({ subscription: { status }, working_days, is_moderated }) => ({
        configuration: {
          subscription: { user_id: user, status: { __typename: 'Status', ...status } },
          working_days,
          is_moderated,
        },
      }),
    },
    'directives and variables': {
      text: `query ( $ u : Int $ s : Int ! ) { configuration ( user_id : $ u service_id : $ s ) {
        delivery_window @ include ( if : true ) ... on Configuration @ include ( if : false ) { zones { id } }
        ... rest @ skip ( if : false ) ... rest @ skip ( if : true ) } }
        fragment rest on Configuration { radius @ include ( if : false ) working_days }`,
      variables: { u: user, s: flexId! },
      selects: ({ delivery_window, working_days }) => ({ configuration: { delivery_window, working_days } }),
    },
    'directives on objects, and at the root': {
      text: `{ left : ${of(turboId)} @ skip ( if : true ) { radius } ${of()} @ include ( if : true ) {
        address @ include ( if : false ) { id } zones @ skip ( if : false ) { __typename id }
        ... @ skip ( if : true ) { radius } } ... { __typename @ include ( if : true ) } }`,
      selects: ({ zones }) => ({
        configuration: { zones: zones.map(({ id }: Record<string, unknown>) => ({ __typename: 'Zone', id })) },
        __typename: 'Query',
      }),
    },
    'defaults of variables, and names that are words of the language': {
      text: `query fragment ( $ mutation : Int = ${user} $ true : Int = ${turboId} ) {
        configuration ( user_id : $ mutation service_id : $ true ) { radius } }`,
      operationName: 'fragment',
      selects: (_, { radius }) => ({ configuration: { radius } }),
    },
    'the first of two operations': {
      text: `query true { ${of()} { working_days } } query Another { __typename }`,
      operationName: 'true',
      selects: ({ working_days }) => ({ configuration: { working_days } }),
    },
    'the second of two operations, with a fragment of the root': {
      text: `fragment root on Query { ${'x'.repeat(300)} : ${of(turboId)} { availables { ranges } } }
        query Another { __typename } query Meant { ... root __typename }`,
      operationName: 'Meant',
      selects: (_, { availables: { ranges } }) => ({
        ['x'.repeat(300)]: { availables: { ranges } },
        __typename: 'Query',
      }),
    },
  }
}

/** Ignored tokens between tokens. */
const BLANKS = [
  ...['', '', '', ' ', ' ', '\n', '\r\n', ',', '\t', '\ufeff', ' ,, '],
  ...['#\n', '# } "\n', '#{#\r', '# 😀 """\n', '#,\u2028\n'],
]
export const blanks = fc.array(fc.nat({ max: BLANKS.length - 1 }), { minLength: 1, maxLength: 12 })
export const tokensOf = (text: string): string[] => text.split(/\s+/)

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
export const broken = (user: number, services: number[]): Arbitrary<Body & { query: string }> =>
  fc
    .record({
      query: fc.constantFrom(...Object.values(queriesOf(user, services))),
      way: fc.constantFrom('delete', 'double', 'swap', 'replace'),
      at: fc.nat({ max: 999 }),
      with: fc.nat({ max: 999 }),
      token: fc.constantFrom(...TOKENS),
      blanks,
    })
    .map(({ query: { text, selects: _, ...body }, way, at, with: other, token, blanks }) => {
      const tokens = tokensOf(text)
      const [one, two] = [at % tokens.length, other % tokens.length]
      const changed = [...tokens]
      if (way === 'delete') changed.splice(one, 1)
      if (way === 'double') changed.splice(one, 0, tokens[one]!)
      if (way === 'replace') changed[one] = token
      if (way === 'swap') [changed[one], changed[two]] = [tokens[two]!, tokens[one]!]
      return { ...body, query: textOf(changed, blanks) }
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
