import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { openapi } from '../tools/openapi/document.ts'
import { asText, FILES, TYPES } from '../tools/openapi/files.ts'
import { typesOf } from '../tools/openapi/types.ts'
import { start } from './support/app.ts'

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const { server, sellers } = await start(t)

for (const plane of ['api', 'control'] as const) {
  t.test(`${FILES[plane]} is up to date; if not, run npm run openapi`, async (t) => {
    t.equal(asText(await openapi(plane)), readFileSync(at(FILES[plane]), 'utf8'))
  })
}

t.test(`${TYPES} is up to date with the control plane document`, async (t) => {
  t.equal(typesOf(await openapi('control')), readFileSync(at(TYPES), 'utf8'))
})

t.test('both documents are valid OpenAPI', async (t) => {
  const files = Object.values(FILES).map(at)
  const lint = spawnSync(at('node_modules/.bin/redocly'), ['lint', ...files], {
    encoding: 'utf8',
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  t.equal(lint.status, 0, lint.stderr)
})

interface BodySchema {
  required?: string[]
  properties?: Record<string, BodySchema>
  items?: BodySchema
  anyOf?: BodySchema[]
  default?: unknown
}
/** Required members of a body that have a default, at any depth. */
function requiredWithDefault({ required = [], properties = {}, items, anyOf = [] }: BodySchema, at: string): string[] {
  return [
    ...required.filter((name) => properties[name]?.default !== undefined).map((name) => `${at}.${name}`),
    ...Object.entries(properties).flatMap(([name, schema]) => requiredWithDefault(schema, `${at}.${name}`)),
    ...[...(items ? [items] : []), ...anyOf].flatMap((schema) => requiredWithDefault(schema, at)),
  ]
}

t.test('no member of a body that has a default is required', async (t) => {
  for (const plane of ['api', 'control'] as const) {
    const { paths } = JSON.parse(readFileSync(at(FILES[plane]), 'utf8'))
    type Bodies = Record<string, { requestBody?: { content: Record<string, { schema: BodySchema }> } }>
    const bodies = Object.entries(paths as Record<string, Bodies>).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        Object.values(requestBody?.content ?? {}).map(({ schema }) => ({ schema, at: `${method} ${path}` })),
      ),
    )
    t.ok(bodies.length > 5)
    t.strictSame(
      bodies.flatMap(({ schema, at }) => requiredWithDefault(schema, at)),
      [],
    )
  }
})

interface Member {
  type?: string | string[]
  description?: string
  schema?: Member
}
/** Numbers of a document that are an amount of time, as `name: description`, wherever they are. */
function amountsOfTime(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  const {
    properties = {},
    name,
    schema,
  } = node as { properties?: Record<string, Member>; name?: string; schema?: Member }
  const members = [...Object.entries(properties), ...(name && schema ? [[name, { ...node, ...schema }] as const] : [])]
  const texts = members.flatMap(([name, { type = [], description = '' }]) => {
    const isNumber = ['integer', 'number'].some((one) => [type].flat().includes(one))
    const isTime = AMOUNT_NAME.test(name) || AMOUNT_TEXT.test(description)
    return isNumber && isTime ? [`${name}: ${description}`] : []
  })
  return [...texts, ...Object.values(node).flatMap(amountsOfTime)]
}
const AMOUNT_NAME = /^(by|delay|expires_in|ms|wait|window|within)$|_(ms|s)$/
const AMOUNT_TEXT = /\b(delay|duration|lifetime|real time|world time)\b/i

t.test('the description of an amount of time in a control call says its unit', async (t) => {
  const amounts = new Set(amountsOfTime(JSON.parse(readFileSync(at(FILES.control), 'utf8'))))
  t.ok(amounts.size > 10)
  // One of them is a share of an interval.
  t.strictSame(
    [...amounts].filter((text) => !/\b(ms|seconds|share)\b/i.test(text)),
    [],
  )
})

t.test('compiles the validators of every route', async (t) => {
  const document = JSON.parse(readFileSync(at('openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>
  }
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods)) {
      const url = path
        .replace('{item_id}', 'MLA1400000001')
        .replace('{id}', 'ARS')
        .replace(/\{\w+\}/g, '2500000101')
      const answer = await server.inject({
        method: method.toUpperCase() as 'GET',
        url: `${url}?last=1&unit=day&date_from=2026-01-01&date_to=2026-01-02&ids=MLA1400000001`,
        headers: { authorization: `Bearer ${sellers[0]!.token}` },
        ...(method !== 'get' && { payload: '{}' }),
      })
      t.ok(answer.statusCode < 500, `${method} ${path} ${answer.statusCode}`)
    }
})
