import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'
import { type CuttingProxy, startCuttingProxy } from './cutting_proxy.ts'
import { INITIAL_CLOCK, Load, send } from './load.ts'
import { ADDRESSES, createNamespaces, MACHINE, type Namespaces, PEER_ADDRESSES } from './namespaces.ts'
import { type Node, type NodeOptions, startNode } from './nodes.ts'
import { recordOwners } from './owners.ts'
import { type Postgres, startPostgres, startStandby } from './postgres.ts'

const ADMIN_TOKEN = 'the-token-of-these-tests'

const CONTROL_TIMEOUT_MS = 20_000

/** The address of the node that has the default world. */
const OWNER = 'SELECT url FROM mercadito.world JOIN mercadito.node ON node.id = holder WHERE world.id = 1'

const SYNC_STATE = 'SELECT sync_state FROM pg_stat_replication'

export interface ClusterOptions {
  /** Default: 2 s. */
  leaseMs?: number
  isReplicated?: boolean
  isInNamespaces?: boolean
  /** What differs at one of the first two nodes. */
  nodeOptions?: (n: number) => Partial<NodeOptions>
}

/** A node whose connection to the database can fail. */
export interface ClusterNode extends Node {
  connection: CuttingProxy
}

/** Two nodes under load. */
export interface Cluster {
  /** Those that clients use. */
  nodes: ClusterNode[]
  /** The primary. */
  database(): Postgres
  /** Promotes the standby, and connects the nodes to it. */
  failOver(): void
  /** Starts a standby of the primary, which has everything before the primary acknowledges it. */
  addStandby(): Promise<void>
  namespaces: Namespaces | undefined
  load: Load
  /** The number of the world whose clock is changed. */
  clockWorld: number
  /** The resources of the notifications that were received, by `_id`. */
  notified: Map<string, string>
  /** With namespaces it is in one that no other node is in. */
  addNode(options?: Partial<NodeOptions>): Promise<ClusterNode>
  /** Ends a node, which clients use no longer. */
  remove(node: ClusterNode, signal: NodeJS.Signals): Promise<void>
  /** The node that has the default world, once it is one that clients use. */
  owner(): Promise<ClusterNode>
  /** Resolves with the next owner of the default world. */
  ownerAfter(node: ClusterNode): Promise<ClusterNode>
  /** Standard error of all nodes. */
  errors(): string
}

export async function startCluster(
  t: Test,
  { leaseMs = 2000, isReplicated, isInNamespaces, nodeOptions }: ClusterOptions,
  random: () => number,
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-nodes-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const namespaces = isInNamespaces ? createNamespaces(t) : undefined
  // A server that is killed leaves other shared memory behind.
  const primary = await startPostgres({ dynamic_shared_memory_type: 'mmap' })
  t.teardown(() => primary.stop())
  let [database, standby] = [primary, isReplicated ? await startSynchronousStandby(t, primary) : undefined]

  const machine = namespaces ? MACHINE : '127.0.0.1'
  const nodes: ClusterNode[] = []
  const started: ClusterNode[] = []
  const openProxy = async (port: number) => {
    const proxy = await startCuttingProxy(port, machine)
    t.teardown(() => proxy.close())
    return proxy
  }
  const addNode = async (options: Partial<NodeOptions> = {}) => {
    const connection = await openProxy(database.port)
    const databaseUrl = database.url.replace(`127.0.0.1:${database.port}`, `${machine}:${connection.port}`)
    const place = namespaces ? placeOf(namespaces, nodes) : { flags: ['--admin-token', ADMIN_TOKEN] }
    const node = { ...(await startNode(t, { databaseUrl, leaseMs, folder, ...place, ...options })), connection }
    nodes.push(node)
    started.push(node)
    return node
  }
  for (const n of [0, 1]) await addNode(nodeOptions?.(n))
  recordOwners(primary)

  const notified = new Map<string, string>()
  const { url: hook } = await receiver(t, (response, { _id, resource }) => {
    notified.set(_id, resource)
    response.end('{}')
  })
  const { url, info } = nodes[0]!
  const hookProxy = namespaces && (await openProxy(Number(new URL(hook).port)))
  const callback_url = hookProxy ? `http://${MACHINE}:${hookProxy.port}/hook` : hook
  await control(url, `PUT /applications/${info.application.id}/notifications`, { callback_url, topics: ['questions'] })
  const created = await control(url, 'POST /worlds', { scenario: 'empty' })
  await control(`${url}/w/${created.world.id}`, 'PUT /clock', { mode: 'frozen', now: INITIAL_CLOCK })
  const load = new Load({
    nodes,
    info,
    adminToken: ADMIN_TOKEN,
    clockWorld: created.world.id,
    random,
    // Where no request may fail, an answer may take as long as the lease.
    timeoutMs: leaseMs * 1.5,
  })
  load.start()
  t.teardown(() => load.stop())
  const owner = () =>
    until('an owner', async () => {
      const url = await database.query(OWNER)
      return nodes.find(({ advertised }) => advertised === url)
    })
  return {
    nodes,
    database: () => database,
    failOver() {
      database = standby!
      database.sql('SELECT pg_promote()')
      for (const { connection } of nodes) connection.switchTo(database.port)
    },
    async addStandby() {
      standby = await startSynchronousStandby(t, database)
    },
    namespaces,
    load,
    clockWorld: created.world.id,
    notified,
    addNode,
    async remove(node, signal) {
      nodes.splice(nodes.indexOf(node), 1)
      await node.stop(signal)
    },
    owner,
    ownerAfter: (old) =>
      until('another owner', async () => {
        const node = await owner()
        return node === old ? undefined : node
      }),
    errors: () => started.map((node) => node.errors()).join(''),
  }
}

/** Starts a standby that has everything before the primary acknowledges it. */
async function startSynchronousStandby(t: Test, primary: Postgres): Promise<Postgres> {
  const standby = await startStandby(primary)
  t.teardown(() => standby.stop())
  primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
  primary.sql('SELECT pg_reload_conf()')
  await until('a synchronous standby', async () => (await primary.query(SYNC_STATE)) === 'sync')
  return standby
}

/** The namespace that no node is in. */
function placeOf({ names }: Namespaces, nodes: ClusterNode[]): Partial<NodeOptions> {
  const n = ADDRESSES.findIndex((address) => !nodes.some(({ url }) => url.includes(`//${address}:`)))
  return {
    prefix: ['ip', 'netns', 'exec', names[n]!],
    host: '0.0.0.0',
    address: ADDRESSES[n]!,
    peerAddress: PEER_ADDRESSES[n]!,
    flags: ['--admin-token', ADMIN_TOKEN, '--notify-allow', MACHINE],
  }
}

/** A control call such as `POST /worlds`, at a node. Returns the body of its answer. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
export async function control(url: string, request: string, body?: object): Promise<any> {
  const [method, path] = request.split(' ') as [string, string]
  const answer = await send([method, `${url}/_sandbox${path}`], ADMIN_TOKEN, body, CONTROL_TIMEOUT_MS)
  if (!answer || answer.status >= 300) throw new Error(`${request}: ${JSON.stringify(answer)}`)
  return answer.body
}
