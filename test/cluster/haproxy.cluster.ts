import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { launchWith, type RunningServer } from '../support/bundle.ts'
import { until } from '../support/until.ts'
import type { Answer } from './apps.ts'
import { freePort, startPostgres } from './postgres.ts'

const ADMIN = 'the-token'
const CONFIGURATION = fileURLToPath(new URL('../../examples/cluster/haproxy.cfg', import.meta.url))

const postgres = await startPostgres()
t.teardown(() => postgres.stop())

interface Node extends RunningServer {
  port: number
}

async function startNode(): Promise<Node> {
  const port = await freePort()
  const settings = ['--database', postgres.url, '--lease', '1s', '--advertise', `http://127.0.0.1:${port}`]
  const access = ['--admin-token', ADMIN, '--trust-proxy', '127.0.0.1']
  return { ...(await launchWith(t, {}, '--port', String(port), ...settings, ...access)), port }
}

/** Starts HAProxy with the configuration of the example, and resolves with its address. */
async function startBalancer(nodes: [Node, Node]): Promise<string> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-haproxy-'))
  const file = join(folder, 'haproxy.cfg')
  const text = readFileSync(CONFIGURATION, 'utf8')
    .replace('bind :4400', `bind 127.0.0.1:${port}`)
    .replace('one:4400', `127.0.0.1:${nodes[0].port}`)
    .replace('two:4400', `127.0.0.1:${nodes[1].port}`)
  writeFileSync(file, text)
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  t.teardown(async () => {
    child.kill()
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}`
  await until('HAProxy', async () => (await fetch(`${url}/livez`).catch(() => undefined))?.ok)
  return url
}

async function call(url: string, token: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: await answer.json() }
}

async function sentOnBy({ port }: Node): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${ADMIN}` } })
  return Number(/^mercadito_requests_sent_on_total (\d+)$/m.exec(await answer.text())![1])
}

t.test('HAProxy accepts the configuration as it is', async (t) => {
  const { error, status, stderr } = spawnSync('haproxy', ['-c', '-f', CONFIGURATION], { encoding: 'utf8' })
  if (error) throw new Error('HAProxy is not installed; on Debian: apt-get install --no-install-recommends haproxy')
  t.equal(status, 0, stderr)
})

t.test('two servers behind HAProxy serve all worlds, also after one of them was killed', async (t) => {
  const nodes: [Node, Node] = [await startNode(), await startNode()]
  const url = await startBalancer(nodes)
  const { sellers, buyers } = nodes[0]
  const ask = (text: string) => call(`${url}/questions`, buyers[0]!.token, { item_id: 'MLA1400000001', text })
  const read = (id: number) => call(`${url}/questions/${id}`, sellers[0]!.token)

  const asked: number[] = []
  for (let n = 0; n < 20; n++) {
    const { status, body } = await ask(`question ${n}`)
    t.equal(status, 201)
    asked.push(body.id)
  }
  // The first server has the default world.
  t.strictSame([await sentOnBy(nodes[0]), await sentOnBy(nodes[1])], [0, 10])
  const { body: worlds } = await call(`${url}/_sandbox/worlds`, ADMIN)
  t.equal(worlds.results[0].url, url, 'the servers know the address of the balancer')

  await nodes[0].stop('SIGKILL')
  const statuses = new Set<number>()
  const askAgain = async () => {
    const answer = await ask('after the end of its server')
    statuses.add(answer.status)
    return answer
  }
  const answer = await until('an answer other than 503', async () => {
    const answer = await askAgain()
    return answer.status === 503 ? undefined : answer
  })
  // Calls wait for a world only a second.
  statuses.delete(503)
  t.strictSame([...statuses], [201], 'no call fails otherwise')
  for (const id of [...asked, answer.body.id]) t.equal((await read(id)).status, 200)
})
