import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Test } from 'tap'
import { startCapture } from '../../capture/index.ts'
import { compare, type Report } from '../../compare/index.ts'
import type { TestApp } from './app.ts'
import type { ReadCall } from './compared_calls.ts'

interface Answered {
  status: number
  type: string
  text: string
}
/** Changes an answer: its parsed body in place, or by the answer that it returns. */
// biome-ignore lint/suspicious/noExplicitAny: each change knows the body that it changes
export type Change = (body: any, answer: Answered) => Partial<Answered> | undefined

interface ComparedServer {
  url: string
  /** Changes the answers of a path from now on; undefined: of none. */
  change(path: RegExp, change: Change | undefined): void
}

/** A server in front of another one, whose answers it changes. */
export async function startChanging(
  t: Test,
  { server }: Pick<TestApp, 'server'>,
  onCall = () => {},
): Promise<ComparedServer> {
  let changed: { path: RegExp; change: Change | undefined } | undefined
  const changing = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    onCall()
    const { 'content-type': type, authorization, 'x-sandbox': sandbox } = request.headers as Record<string, string>
    const { statusCode, headers, payload } = await server.inject({
      method: request.method as 'GET',
      url: request.url!,
      headers: {
        ...(type && { 'content-type': type }),
        ...(authorization && { authorization }),
        ...(sandbox && { 'x-sandbox': sandbox }),
      },
      ...(chunks.length > 0 && { payload: Buffer.concat(chunks) }),
    })
    const answered = { status: statusCode, type: String(headers['content-type'] ?? ''), text: payload }
    if (changed?.change && changed.path.test(request.url!)) {
      const body = answered.text === '' ? undefined : JSON.parse(answered.text)
      const replaced = changed.change(body, answered)
      Object.assign(answered, { text: body === undefined ? '' : JSON.stringify(body) }, replaced)
    }
    // Node's own header does not know that a test has set the clock.
    const date = new Date().toUTCString()
    response.writeHead(answered.status, { date, ...(answered.type !== '' && { 'content-type': answered.type }) })
    response.end(request.method === 'HEAD' ? undefined : answered.text)
  }).listen(0, '127.0.0.1')
  await once(changing, 'listening')
  t.teardown(() => {
    changing.closeAllConnections()
    changing.close()
  })
  return {
    url: `http://127.0.0.1:${(changing.address() as { port: number }).port}`,
    change(path, change) {
      changed = { path, change }
    },
  }
}

/** Records calls to a server, and compares them. */
export async function recordAndCompare(...given: Parameters<typeof recordCalls>): Promise<Report> {
  await recordCalls(...given)
  return compare(given[0], { switches: {} })
}

/** Sends a call that is recorded; the text of its answer. */
export type Send = (call: ReadCall) => Promise<string>
/** Calls that depend on answers. */
type Program = (send: Send) => Promise<void>

/** Records calls of sellers to a server. */
export async function recordCalls(
  file: string,
  upstream: string,
  { sellers }: Pick<TestApp, 'sellers'>,
  calls: readonly ReadCall[] | Program,
  { allowWrites = false } = {},
): Promise<void> {
  const { url, close } = await startCapture(
    { upstream, file, port: 0, token: undefined, allowWrites, trusted: undefined },
    () => {},
  )
  const send: Send = async ({ path, method = 'GET', seller = 0, headers, body }) => {
    const authorization = seller === null ? {} : { authorization: `Bearer ${sellers[seller]!.token}` }
    const answer = await fetch(url + path, { method, headers: { ...authorization, ...headers }, ...(body && { body }) })
    return answer.text()
  }
  if (typeof calls === 'function') await calls(send)
  else for (const call of calls) await send(call)
  await close()
}
