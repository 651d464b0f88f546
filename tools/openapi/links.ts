import type { Document, Operation, Parameter, Schema } from './shapes.ts'

/** An id in an answer. */
interface Found {
  kind: string
  /** Its place in the answer, as a JSON pointer. */
  pointer: string
  /** Whether it is that of the answered thing, or of an element of the answered list; else of one that it refers to. */
  isOwn: boolean
}

/** An id that a call needs. */
interface Needed {
  name: string
  in: 'path' | 'query' | 'body'
  kind: string
}

/**
 * Adds to each answer OpenAPI links to the calls that take an id of it: to all calls about the answered thing itself, and
 * for others that it refers to, to the call that reads them. A kind of ids is the word before them in a path: `items`.
 */
export function addLinks({ paths }: Document): void {
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.values(operations).map((operation) => ({ path, operation })),
  )
  const kinds = new Map(calls.flatMap(({ path }) => parametersOf(path)).filter(([name]) => name !== 'id'))
  const targets = calls.map(({ path, operation }) => {
    const needed = neededBy(path, operation, kinds)
    const isRead = paths[path]?.get === operation && path.split('/{').length === 2 && path.endsWith('}')
    return { operation, needed, subject: needed.findLast((one) => one.in === 'path') ?? needed[0], isRead }
  })
  const readKinds = new Set(targets.flatMap(({ isRead, subject }) => (isRead && subject ? subject.kind : [])))
  for (const { path, operation } of calls) {
    const [response] = Object.entries(operation.responses).flatMap(([status, one]) => (status < '300' ? [one] : []))
    const schema = response?.content?.['application/json']?.schema
    if (!schema) continue
    const found = idsIn(schema, kinds).sort((a, b) => Number(b.isOwn) - Number(a.isOwn))
    const links = targets.flatMap(({ operation: target, needed, subject, isRead }) => {
      const isLinked = ({ kind, isOwn }: Found) => kind === subject?.kind && (isOwn || isRead || !readKinds.has(kind))
      if (target === operation || !found.some(isLinked)) return []
      const values = needed.map((one) => [one, expressionOf(one, path, found)] as const)
      return values.every(([, value]) => value) ? [[target.operationId, toLink(target, values)]] : []
    })
    const all = [...links, ...nextPage(operation, path, schema)]
    if (all.length > 0) response.links = Object.fromEntries(all)
  }
}

/** The parameters of a path with their kinds: `/items/{item_id}/contacts` → `item_id`, `items`. */
const parametersOf = (path: string): [name: string, kind: string][] =>
  [...path.matchAll(/([^/]+)\/\{(\w+)\}/g)].map(([, kind, name]) => [name!, kind!])

const kindOf = (schema: Schema | undefined): string | undefined => schema?.['x-path']?.split('/').at(-2)

/** Bodies count only where no address says what a call is about. */
function neededBy(path: string, { parameters = [], requestBody }: Operation, kinds: Map<string, string>): Needed[] {
  const addressed = (parameters as Parameter[]).flatMap(({ name, in: place, required, schema }): Needed[] => {
    const kind = kindOf(schema) ?? (place === 'path' ? new Map(parametersOf(path)) : kinds).get(name)
    return kind && required ? [{ name, in: place as 'path', kind }] : []
  })
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  const sent = required.flatMap((name): Needed[] => {
    const kind = kindOf(properties[name]) ?? kinds.get(name)
    return kind ? [{ name, in: 'body', kind }] : []
  })
  return addressed.length > 0 ? addressed : sent
}

function idsIn(schema: Schema, kinds: Map<string, string>, pointer = '', isWhole = true): Found[] {
  const { properties = {}, items, anyOf = [] } = schema
  const name = pointer.slice(pointer.lastIndexOf('/') + 1)
  const kind = kindOf(schema) ?? kinds.get(name)
  return [
    ...(kind && !items ? [{ kind, pointer, isOwn: isWhole && (name === 'id' || name === '0') }] : []),
    ...anyOf.flatMap((one) => idsIn(one, kinds, pointer, isWhole)),
    ...(items ? idsIn(items, kinds, `${pointer}/0`, isWhole) : []),
    ...Object.entries(properties).flatMap(([member, one]) =>
      idsIn(one, kinds, `${pointer}/${member}`, isWhole && !(one.properties && !one.items)),
    ),
  ]
}

/** From the answer; else the call before had the same parameter in its address. */
function expressionOf({ kind }: Needed, path: string, found: Found[]): string | undefined {
  const one = found.find((other) => other.kind === kind)
  if (one) return `$response.body#${one.pointer}`
  const before = parametersOf(path).find(([, other]) => other === kind)
  return before && `$request.path.${before[0]}`
}

function toLink({ operationId, summary }: Operation, values: (readonly [Needed, string | undefined])[]): object {
  const of = (isBody: boolean) =>
    Object.fromEntries(values.flatMap(([one, value]) => ((one.in === 'body') === isBody ? [[one.name, value]] : [])))
  const isBody = values.some(([one]) => one.in === 'body')
  return { operationId, ...(isBody ? { requestBody: of(true) } : { parameters: of(false) }), description: summary }
}

/** A scan answers by which id the same call continues it. */
function nextPage({ operationId, parameters = [] }: Operation, path: string, { properties = {} }: Schema) {
  if (!properties.scroll_id || !(parameters as Parameter[]).some(({ name }) => name === 'scroll_id')) return []
  const same = Object.fromEntries(parametersOf(path).map(([name]) => [name, `$request.path.${name}`]))
  const page = { search_type: 'scan', scroll_id: '$response.body#/scroll_id' }
  return [[operationId, { operationId, parameters: { ...same, ...page }, description: 'The next page of a scan' }]]
}
