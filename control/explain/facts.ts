import type { RouteOptions } from 'fastify'
import { faultOfToken } from '../../domains/oauth/token_fault.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import { parseJson } from '../../http/bodies.ts'
import type { Language, Texts } from '../../http/errors/checks.ts'
import { methodsOf, type Paths } from '../../http/paths.ts'
import { nearestPaths, templateOf } from '../known_paths.ts'
import type { NearStub } from '../stubs/nearest.ts'
import { type Call, fieldSchema, isWrite, sentValue } from './call.ts'
import { isBrokenBody, type Refusal } from './fix.ts'
import { schemaOf } from './ladder.ts'
import { memberAt } from './members.ts'
import type { Explanation } from './schemas.ts'
import type { Sentences } from './texts.ts'
import { similarWord } from './values.ts'

/** The fact that decided: what is wrong with the token, the address, the body or the field; undefined if there is none. */
export async function decidingFact(
  refusal: Refusal,
  {
    field,
    paths,
    words,
    language,
  }: { field: Explanation['field']; paths: Paths; words: Sentences; language: Language },
): Promise<string | undefined> {
  const { check, violation, call } = refusal
  if (check?.id === 'path') return describePath(paths, call, words, language)
  const matched = paths.match(call.path)
  // `POST /questions/search` is a question about the listing `search`, but the path has GET.
  const isOtherPath = check?.id.startsWith('path.') && isWrite(call) && !matched?.routes.has(call.method)
  if (matched && (check?.id === 'method' || isOtherPath)) return words.methods(methodsOf(matched).join(', '))
  if (check?.id === 'token' && call.tokenIn && !violation.field) return describeToken(refusal, words)
  if (isBrokenBody(refusal)) return describeBody(call.body, words)
  return field ? describeField(refusal, field, words) : undefined
}

/** What the real service has at a path that is not emulated, and the nearest one that is. */
function describePath(paths: Paths, { path }: Call, words: Sentences, language: Language): string {
  const real = realPath(path)
  const [near] = nearestPaths(paths, path)
  return [
    real && words.realPath(real[language]),
    near && words.nearestPath(`${[...near.routes.keys()].sort().join(', ')} ${templateOf(near)}`),
  ]
    .filter(Boolean)
    .join(' ')
}

async function describeToken({ world, violation, call }: Refusal, words: Sentences): Promise<string | undefined> {
  const { user, token = '' } = call
  if (violation.rule === 'oauth.blocked') return user && words.token.blocked(user.application_id)
  const fault = await faultOfToken(world, token)
  if (fault?.kind === 'expired') return words.token.expired(utcMillis(fault.at))
  if (fault?.kind === 'other_world') return words.token.other_world(fault.world, world.id)
  return fault && words.token[fault.kind]()
}

function describeBody(sent: Call['body'], words: Sentences): string | undefined {
  const body = sent?.replace(/^\ufeff/, '') ?? ''
  if (body.trim() === '') return words.emptyBody
  // It may be no object.
  if (parseJson(body).value !== undefined) return undefined
  const at = jsonErrorAt(body)
  const lines = body.slice(0, at).split('\n')
  const [character] = body.slice(at)
  return words.brokenBody(character ? JSON.stringify(character) : '', lines.length, [...lines.at(-1)!].length + 1)
}

/** Why a stub has not answered. */
export function describeNearStub({ id, differences }: NearStub, words: Sentences): string {
  const { what, expected, actual } = differences[0]!
  const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))
  return words.nearStub(id, what, shown(expected), actual === undefined ? null : shown(actual))
}

/** The index of the first character with which a text cannot be JSON; its length if only the end is missing. */
function jsonErrorAt(text: string): number {
  // Not all errors of `JSON.parse` have a position.
  let [right, wrong] = [0, text.length + 1]
  while (right + 1 < wrong) {
    const middle = Math.floor((right + wrong) / 2)
    if (isBeginning(text.slice(0, middle))) right = middle
    else wrong = middle
  }
  return right
}

/** Whether a text is JSON or the beginning of it, by the message of V8. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    return position === undefined ? message.startsWith('Unexpected end') : Number(position) >= text.length
  }
}

/** The wrong field: what was sent, or how much of it, and what is allowed. */
function describeField(
  { route, call }: Refusal,
  { name, in: place, received, allowed }: NonNullable<Explanation['field']>,
  words: Sentences,
): string {
  const { field, place: places } = words
  const schema = fieldSchema(route, place, name)
  const sent = sentValue(route, call, place, name)
  const length = typeof sent === 'string' ? [...sent].length : 0
  if (place === 'body' && call.body === undefined) return field.unread(name)
  if (schema?.maxLength !== undefined && length > schema.maxLength) return field.tooLong(name, length, schema.maxLength)
  if (place === 'body' && !schema) return field.unknown(name, similarMember(route, name))
  const was = received === null ? field.missing(name, places[place]) : field.received(name, places[place], received)
  return allowed === null ? was : `${was} ${words.allowed(allowed)}`
}

/** The member that an unknown one may mean. */
function similarMember(route: RouteOptions | undefined, name: string): string | undefined {
  const { body } = schemaOf(route)
  const [, parent = '', last = name] = /^(.*)\.([^.]+)$/.exec(name) ?? []
  const { anyOf, properties } = (parent ? memberAt.schema(body, parent) : body) ?? {}
  const known = properties ?? anyOf?.find((choice) => choice.properties)?.properties ?? {}
  return similarWord(last, Object.keys(known))[0]
}

/** What the real service has at paths that are not emulated [spec: http.paths.not_emulated]. */
const REAL_PATHS: [path: RegExp, ...texts: [en: string, es: string, pt: string]][] = [
  [/^\/carts\b/, 'the carts of orders', 'los carritos de ventas', 'os carrinhos de vendas'],
  [/^\/user-products\b/, 'the products of sellers', 'los productos de vendedores', 'os produtos de vendedores'],
  [/^\/reviews\b/, 'the reviews of products', 'las opiniones sobre productos', 'as opiniões sobre produtos'],
  [/^\/advertising\b/, 'advertising', 'publicidad', 'publicidade'],
  [/^\/seller-promotions\b/, 'promotions', 'promociones', 'promoções'],
]

/** In each language, as it follows “The real service has”; undefined if it is not known. */
function realPath(path: string): Texts | undefined {
  const found = REAL_PATHS.find(([pattern]) => pattern.test(path))
  if (!found) return undefined
  const [, en, es, pt] = found
  return { en, es, pt }
}
