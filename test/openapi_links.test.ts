import { readFileSync } from 'node:fs'
import t from 'tap'
import { start } from './support/app.ts'

const { server, sellers, buyers } = await start(t)

interface Link {
  operationId: string
  parameters?: Record<string, string>
  requestBody?: Record<string, string>
}
interface Linked {
  operationId: string
  method: string
  path: string
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[]
  requestBody?: { content: Record<string, { example?: object }> }
  responses: Record<string, { links?: Record<string, Link> }>
}
/** A call that was made, with what its links may read. */
interface Made {
  operation: Linked
  path: Record<string, unknown>
  status: number
  body: unknown
}

const { paths } = JSON.parse(readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, object>
}
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, one]): Linked => ({ ...one, method: method.toUpperCase(), path })),
)
const byId = new Map(operations.map((one) => [one.operationId, one]))

t.test('each operation has its own id, a camel-case name', async (t) => {
  t.equal(byId.size, operations.length)
  t.strictSame(
    [...byId.keys()].filter((id) => !/^[a-z][a-zA-Z0-9]*$/.test(id)),
    [],
  )
})

/** Of a link, after the call that it belongs to; undefined if the answer does not have it. */
function evaluate(expression: string, { path, body }: Made): unknown {
  const [, parameter, pointer] = /^\$(?:request\.path\.(\w+)|response\.body#(.+))$/.exec(expression) ?? []
  if (parameter) return path[parameter]
  if (!pointer) return expression
  return pointer
    .slice(1)
    .split('/')
    .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], body)
}

/** Where the example of the document is not of this world. */
const BODIES: Record<string, object> = {
  postUsersSellerIdQuestionsBlacklist: { user_id: buyers[1]!.id },
  postUsersSellerIdOrderBlacklist: { user_id: buyers[1]!.id },
}

/** Makes a call with values, and for all else that it requires with the examples of the document. */
async function make(operation: Linked, values: Record<string, unknown>, sent: object = {}): Promise<Made> {
  const { method, path, parameters = [], requestBody, operationId } = operation
  const query = new URLSearchParams()
  for (const { name, required, example, ...parameter } of parameters)
    if (parameter.in === 'query' && (name in values || required)) query.set(name, String(values[name] ?? example))
  const [content] = Object.values(requestBody?.content ?? {})
  const caller = operationId.startsWith('ask') ? buyers[0]! : sellers[0]!
  const body = { ...content?.example, ...BODIES[operationId], ...sent }
  const answer = await server.inject({
    method: method as 'GET',
    url: `${path.replace(/\{(\w+)\}/g, (_, name) => String(values[name]))}?${query}`,
    headers: { authorization: `Bearer ${caller.token}` },
    ...(content && { payload: body }),
  })
  return { operation, path: values, status: answer.statusCode, body: answer.payload ? answer.json() : undefined }
}

/** Follows each link of an answer whose values the answer has. */
async function follow(made: Made, isWanted: (operation: Linked) => boolean, followed: Map<string, Made>) {
  for (const link of Object.values(made.operation.responses[made.status]?.links ?? {})) {
    const { operationId, parameters = {}, requestBody = {} } = link
    const name = `${made.operation.operationId} ${operationId}`
    const valuesOf = (expressions: Record<string, string>) =>
      Object.fromEntries(Object.entries(expressions).map(([name, expression]) => [name, evaluate(expression, made)]))
    const [values, sent] = [valuesOf(parameters), valuesOf(requestBody)]
    const isThere = Object.values({ ...values, ...sent }).every((value) => value !== undefined && value !== null)
    const target = byId.get(operationId)!
    if (isThere && isWanted(target) && !followed.has(name)) followed.set(name, await make(target, values, sent))
  }
}

t.test('links of a new question lead to calls that take it', async (t) => {
  const { links } = byId.get('askQuestion')!.responses[201]!
  const id = '$response.body#/id'
  t.match(links, {
    readQuestion: { operationId: 'readQuestion', parameters: { question_id: id } },
    answerQuestion: { operationId: 'answerQuestion', requestBody: { question_id: id } },
    deleteQuestion: { operationId: 'deleteQuestion', parameters: { question_id: id } },
    getItemsItemId: { parameters: { item_id: '$response.body#/item_id' } },
  })
  t.notOk('askQuestionOnItem' in links!, 'which takes a listing, although it shares the path')
  t.strictSame(byId.get('getItemsItemId')!.responses[200]!.links!.askQuestionOnItem!.parameters, { question_id: id })

  const asked = await buyers[0]!.post('/questions', { item_id: 'MLA1400000001', text: '¿Sirve?' })
  t.equal((await buyers[0]!.get(`/questions/${asked.body.id}`)).body.id, asked.body.id)
  t.equal((await sellers[0]!.post('/answers', { question_id: asked.body.id, text: 'Sí.' })).status, 200)
})

t.test('links lead from an answer to calls that know its ids', async (t) => {
  const first = (id: string, values = {}) => make(byId.get(id)!, values)
  const followed = new Map([
    ['me', await first('getUsersMe')],
    ['currencies', await first('getCurrencies')],
    ['sites', await first('getSites')],
    ['received', await first('getMyReceivedQuestionsSearch', { status: 'unanswered' })],
    ['scan', await first('searchQuestions', { search_type: 'scan', limit: 1 })],
    ['asked', await first('askQuestion', {})],
  ])
  const roots = followed.size
  // What one changes, another may not find: calls that read come first. The map grows while it is read.
  for (const wanted of ['GET', 'POST', 'PUT', 'DELETE'])
    for (const made of followed.values()) await follow(made, ({ method }) => method === wanted, followed)
  const links = [...followed].slice(roots)
  const succeeded = links.filter(([, { status }]) => status < 300)
  t.ok(succeeded.length > 100, `${succeeded.length} links`)
  t.ok(new Set(succeeded.map(([, { operation }]) => operation)).size > 40, 'to many calls')

  const texts = (status: number) => [
    ...new Set(
      links.flatMap(([name, made]) =>
        made.status === status ? [`${name.split(' ')[1]}: ${(made.body as Error).message.replace(/\d+/, '#')}`] : [],
      ),
    ),
  ]
  // Of a listing that is not advertised or in the catalogue, and of a service of the other kind.
  const other = 'putShippingFlexSitesSiteIdUsersUserIdServicesServiceIdConfiguration'
  t.strictSame(texts(404), [
    'getAdvertisingProductAdsItemsAdId: Not found',
    'getItemsItemIdPriceToWin: Item MLA# is not a catalog listing',
    `${other}DeliveryAccurateV3: can't update delivery custom`,
    `${other}CoverageRadiusV3: can't update delivery custom`,
  ])
  t.strictSame(texts(400), [
    // One of two parameters is required, of which links know none.
    'readFreeShippingOption: item_id: is required, or dimensions',
    'getProductsSearch: q: or product_identifier is required',
    'readShippingOptions: invalid_zip_code',
    'postShippingFlexSitesSiteIdConfigurationV3: invalid JSON body',
    // Calls that another link has made before.
    'answerQuestion: Question # is not unanswered',
    // Of a listing that has one, is for sale, or has variations with stocks of their own.
    'postItemsItemIdDescription: Item already has a description',
    'relistItem: Item MLA# cannot be relisted',
    'listInCatalogue: catalog_product_id: is required, must be a text',
    'postFlexSitesSiteIdItemsItemIdV2: item is already in flex',
    'postSitesSiteIdShippingSelfserviceItemsItemId: item is already in flex',
    'putItemsItemId: Cannot update item MLA# [status:active, has_bids:true]',
    'deleteQuestion: Question # must be unanswered',
    'deleteFlexSitesSiteIdItemsItemIdV2: item is already in flex',
    'deleteSitesSiteIdShippingSelfserviceItemsItemId: item is already in flex',
  ])
})
