import Mustache, { type RenderOptions } from 'mustache'
import { isMarkup, jsonAs } from '../html.ts'
import type { StubAnswer } from './stubs.ts'

/** A template that cannot be read, or an answer that would be too large. */
export class TemplateError extends Error {}

/** Values of a call that templates may use. */
export const CALL_VALUES = ['method', 'path', 'params', 'query', 'headers', 'body', 'now', 'now_ms', 'date', 'hit']
/** Values of the world, which are read only if a template uses them. */
const WORLD_VALUES = ['user', 'item', 'question'] as const
export type WorldValue = (typeof WORLD_VALUES)[number]

/** Characters of an answer. */
const MAX_RENDERED_CHARACTERS = 1024 * 1024
/** Sections that an answer may render, each element of a list counting. */
const MAX_SECTIONS = 10_000

type Tag = [kind: string, name: string, start: number, end: number, children?: Tag[]]
export type Values = Readonly<Record<string, unknown>>

/** Looks up own members only: prototypes, lengths and functions are no values. */
class Scope extends Mustache.Context {
  override push(view: unknown): Scope {
    return new Scope(view, this)
  }

  override lookup(name: string): unknown {
    if (name === '.') return this.view
    const [first, ...rest] = name.split('.') as [string, ...string[]]
    for (let scope: Mustache.Context | undefined = this; scope; scope = scope.parent)
      if (hasMember(scope.view, first)) return [first, ...rest].reduce(memberOf, scope.view)
    return undefined
  }
}

const hasMember = (value: unknown, name: string): value is Values =>
  typeof value === 'object' &&
  value !== null &&
  Object.hasOwn(value, name) &&
  !(Array.isArray(value) && name === 'length')
const memberOf = (value: unknown, name: string): unknown => (hasMember(value, name) ? value[name] : undefined)

/** Its cache would grow with every template. */
class Parser extends Mustache.Writer {
  templateCache = undefined

  tagsOf(template: string): Tag[] {
    return template.includes('{{') ? (this.parse(template) as Tag[]) : []
  }
}

/** Renders the texts of one answer, within bounds: sections may be nested, and lists be long. */
class Renderer extends Parser {
  #characters = 0
  #sections = 0
  readonly #scope: Scope
  readonly #options: RenderOptions

  constructor(values: Values, escapeText: (text: string) => string) {
    super()
    this.#scope = new Scope(values)
    this.#options = { escape: (value) => this.#count(escapeText(textOf(value))) }
  }

  text(template: string): string {
    return template.includes('{{')
      ? this.render(template, this.#scope, undefined, this.#options)
      : this.#count(template)
  }

  /** The value of a text that is one raw tag, and nothing else. */
  value(template: string): { value?: unknown } {
    const [tag, ...more] = this.tagsOf(template)
    if (tag?.[0] !== '&' || more.length > 0) return {}
    const [, name] = tag
    const found = this.#scope.lookup(name) ?? null
    const value = PARAMETER.test(name) ? numberOf(found) : found
    this.#count(toJson(value))
    return { value }
  }

  override renderTokens(...[tags, scope, partials, template, options]: Parameters<Mustache.Writer['renderTokens']>) {
    if (++this.#sections > MAX_SECTIONS) throw new TemplateError(`has more than ${MAX_SECTIONS} sections and elements`)
    return super.renderTokens(tags, scope, partials, template, options)
  }

  override rawValue(tag: string[]): string {
    return this.#count(super.rawValue(tag))
  }

  override unescapedValue([, name = '']: string[], scope: Mustache.Context): string {
    return this.#count(textOf(scope.lookup(name)))
  }

  #count(text: string): string {
    this.#characters += text.length
    if (this.#characters > MAX_RENDERED_CHARACTERS)
      throw new TemplateError(`has more than ${MAX_RENDERED_CHARACTERS} characters`)
    return text
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : toJson(value)

/** A body that was sent may be nested so deeply that writing it exhausts the stack. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch {
    throw new TemplateError('has a value with too many levels')
  }
}

const PARAMETER = /^(params|query|headers)\./
/** Parameters are texts: one that is written as JSON writes a number becomes that number. */
const numberOf = (value: unknown): unknown =>
  typeof value === 'string' && String(Number(value)) === value && Number.isFinite(Number(value)) ? Number(value) : value

const isJsonType = (type: string): boolean => /^application\/([\w.+-]+\+)?json\b/i.test(type)

/** A text is sent with its own content type, so that its values must be escaped for it. */
const escapeFor = (type: string): ((text: string) => string) => (isMarkup(type) ? Mustache.escape : (text) => text)

/** The text of a body with the values in its templates. Throws TemplateError. */
export function renderBody({ body, headers = {} }: StubAnswer, values: Values): string {
  if (typeof body === 'string') return new Renderer(values, escapeFor(headers['content-type'] ?? '')).text(body)
  // Texts are put into the value, not into its JSON: nothing can break out of them.
  const renderer = new Renderer(values, (text) => text)
  const value = mapTexts(body, (text) => {
    const whole = renderer.value(text)
    return 'value' in whole ? whole.value : renderer.text(text)
  })
  return jsonAs(headers['content-type'], toJson(value))
}

function mapTexts(value: unknown, map: (text: string) => unknown): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((element) => mapTexts(element, map))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]))
}

/** The values of the world that the templates of a body use. */
export function worldValuesOf(body: unknown): WorldValue[] {
  const used = new Set<string>()
  visitTags(body, ({ name }) => used.add(firstOf(name)))
  return WORLD_VALUES.filter((name) => used.has(name))
}

/** Throws TemplateError if a template is malformed, or uses a value that there is not. */
export function checkTemplates({ body, headers = {} }: StubAnswer): void {
  if (typeof body === 'string' && isJsonType(headers['content-type'] ?? ''))
    throw new TemplateError('must be JSON, not a text, where a template gives JSON')
  const known = new Set<string>([...CALL_VALUES, ...WORLD_VALUES])
  visitTags(body, ({ kind, name, isInSection }) => {
    if (kind === '>') throw new TemplateError(`{{> ${name}}}: templates have no partials`)
    if (!isInSection && !known.has(firstOf(name)))
      throw new TemplateError(`{{${name}}} is unknown; values begin with ${[...known].join(', ')}`)
  })
}

const firstOf = (name: string): string => name.split('.', 1)[0]!
const NAMED_TAGS = new Set(['name', '&', '#', '^', '>'])

/** Names in a section may be members of its value. */
type Visit = (tag: { kind: string; name: string; isInSection: boolean }) => void

export function visitTags(body: unknown, visit: Visit): void {
  const parser = new Parser()
  mapTexts(body, (text) => visitAll(parseTemplate(parser, text), false, visit))
}

function parseTemplate(parser: Parser, text: string): Tag[] {
  try {
    return parser.tagsOf(text)
  } catch (error) {
    throw new TemplateError(`${(error as Error).message}: ${JSON.stringify(text.slice(0, 100))}`)
  }
}

function visitAll(tags: Tag[], isInSection: boolean, visit: Visit): void {
  for (const [kind, name, , , children] of tags) {
    if (NAMED_TAGS.has(kind)) visit({ kind, name, isInSection })
    if (Array.isArray(children)) visitAll(children, isInSection || kind === '#', visit)
  }
}
