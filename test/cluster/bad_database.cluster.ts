import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { until } from '../support/until.ts'
import { type Node, startNode } from './nodes.ts'
import { startPostgres } from './postgres.ts'

const LEASE_MS = 3000
/** For tests in which no lease ends. */
const LONG_LEASE_MS = 20_000
const PASSWORD = 'a-secret-password'
const ITEM = 'MLA1400000001'
const UNAVAILABLE = { message: 'Service Unavailable', error: 'service_unavailable', status: 503, cause: [] }

const folder = mkdtempSync(join(tmpdir(), 'mercadito-bad-database-'))
t.teardown(() => rmSync(folder, { recursive: true }))

const postgres = await startPostgres()
t.teardown(() => postgres.stop())
const { sql } = postgres
sql(`CREATE ROLE shop LOGIN PASSWORD '${PASSWORD}'`)
sql('CREATE DATABASE shop OWNER shop')
const open = (leaseMs = LEASE_MS) =>
  startNode(t, { databaseUrl: postgres.urlOf('shop', `shop:${PASSWORD}`), leaseMs, folder })
/** A server with a world in a database that the owner of the tables can use with a password. Each test leaves the next one. */
let node = await open()

// Texts of a test, which must not be those of an earlier one.
const before = ({ name }: Test) => `before: ${name}`
const afterwards = ({ name }: Test) => `afterwards: ${name}`

interface Answer {
  status: number
  retryAfter: string | null
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  body: any
}

async function call({ url }: Node, request: string, token = '', body?: object): Promise<Answer> {
  const [method, path] = request.split(' ') as [string, string]
  const answer = await fetch(url + path, {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
}

const ask = (node: Node, text: string) =>
  call(node, 'POST /questions', node.info.buyers[0]!.token, { item_id: ITEM, text })

/** The texts of the latest questions, oldest first. */
async function texts(node: Node): Promise<string[]> {
  const [seller] = node.info.sellers
  const path = `GET /questions/search?seller_id=${seller!.id}&item=${ITEM}&sort_fields=date_created&sort_types=DESC&limit=5`
  const { body } = await untilStatus(200, () => call(node, path, seller!.token))
  return body.questions.map(({ text }: { text: string }) => text).reverse()
}

/** Repeats a call until its answer has a status. */
const untilStatus = (status: number, repeat: () => Promise<Answer>): Promise<Answer> =>
  until(`an answer with ${status}`, async () => {
    const answer = await repeat()
    if (answer.status === status) return answer
    if (answer.status !== 503) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`)
    return undefined
  })

const READS = ['GET /currencies', 'GET /_sandbox/clock', 'GET /_sandbox/worlds']

/** Every call is answered with 503, and the health check says why. */
async function checkAway(t: Test, node: Node): Promise<void> {
  // What the server knows of its worlds is valid until its lease ends.
  for (const request of READS) {
    const answer = await until('the end of the lease', async () => {
      const answer = await call(node, request)
      return answer.status === 200 ? undefined : answer
    })
    t.strictSame(answer, { status: 503, retryAfter: '1', body: UNAVAILABLE }, request)
  }
  t.strictSame(await ask(node, 'away'), { status: 503, retryAfter: '1', body: UNAVAILABLE })
  t.match(await call(node, 'GET /readyz'), { status: 503, body: { error: 'database_unavailable' } })
}

/** The server works again by itself, and so does a new one; both have what was acknowledged. */
async function checkBack(t: Test): Promise<void> {
  await untilStatus(200, () => call(node, 'GET /readyz'))
  t.equal((await untilStatus(201, () => ask(node, afterwards(t)))).status, 201)
  t.strictSame((await texts(node)).slice(-2), [before(t), afterwards(t)])
  await node.stop()
  t.equal(node.errors(), '')
  node = await open()
  t.strictSame((await texts(node)).slice(-2), [before(t), afterwards(t)])
}

/** Sets whether connections of the role may write, also those that are open. */
function setReadOnly(isReadOnly: boolean): void {
  sql(`ALTER DATABASE shop SET default_transaction_read_only = ${isReadOnly}`)
  sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'shop'`)
}

t.test('a database that is full for longer than a lease', async (t) => {
  t.equal((await ask(node, before(t))).status, 201)
  sql(
    `CREATE OR REPLACE FUNCTION public.is_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END
     $$;
     CREATE TRIGGER is_full BEFORE INSERT ON mercadito.log EXECUTE FUNCTION public.is_full()`,
    'shop',
  )
  const waiting = Array.from({ length: 8 }, (_, n) => ask(node, `refused ${n}`))
  for (const answer of await Promise.all(waiting))
    t.strictSame(answer, { status: 503, retryAfter: '1', body: UNAVAILABLE })
  await untilStatus(200, () => call(node, 'GET /currencies'))
  t.equal((await texts(node)).at(-1), before(t), 'nothing that was refused is there')
  sql('DROP TRIGGER is_full ON mercadito.log', 'shop')
  await checkBack(t)
})

t.test('a database that is gone for longer than a lease', async (t) => {
  t.equal((await ask(node, before(t))).status, 201)
  await postgres.restart(async () => {
    await checkAway(t, node)
    await t.rejects(open(), {
      message: /^mercadito: 127\.0\.0\.1:\d+\/shop: connect ECONNREFUSED .*; start PostgreSQL there/,
    })
  })
  await checkBack(t)
})

t.test('a database that does not answer for longer than a lease', async (t) => {
  t.equal((await ask(node, before(t))).status, 201)
  postgres.signal('SIGSTOP')
  await checkAway(t, node)
  postgres.signal('SIGCONT')
  await checkBack(t)
})

t.test('a database that becomes read-only', async (t) => {
  t.equal((await ask(node, before(t))).status, 201)
  setReadOnly(true)
  await checkAway(t, node)
  const failed = await open().then(
    () => 'it has started',
    ({ message }: Error) => message,
  )
  t.match(failed, /^mercadito: 127\.0\.0\.1:\d+\/shop: cannot execute .*; the database is read-only: name the primary/)
  t.notMatch(failed, PASSWORD)
  setReadOnly(false)
  await checkBack(t)
})

t.test('a database that is full for a short time', async (t) => {
  await node.stop()
  node = await open(LONG_LEASE_MS)
  t.equal((await ask(node, before(t))).status, 201)
  sql(
    `CREATE SEQUENCE public.attempts;
     GRANT USAGE ON SEQUENCE public.attempts TO shop;
     CREATE OR REPLACE FUNCTION public.is_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('public.attempts') < 4 THEN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END IF;
         RETURN NULL;
       END
     $$;
     CREATE TRIGGER is_full BEFORE INSERT ON mercadito.log EXECUTE FUNCTION public.is_full()`,
    'shop',
  )
  t.equal((await ask(node, afterwards(t))).status, 201, 'the write waits')
  t.equal(sql('SELECT last_value >= 4 FROM public.attempts', 'shop'), 't')
  t.strictSame((await texts(node)).slice(-2), [before(t), afterwards(t)])
  await node.stop()
  t.strictSame((await texts(await open())).slice(-2), [before(t), afterwards(t)])
})
