import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { migrationCount } from '../../db/migrate.ts'
import { randomNumbers, SEED, sizeOr } from '../support/torture.ts'
import { type Cluster, type ClusterOptions, control, startCluster } from './cluster.ts'
import type { NodeOptions } from './nodes.ts'
import { verify } from './verification.ts'

/** Of all failures. */
const RUNS = sizeOr(1)
const random = randomNumbers(SEED)
/** Longer than the lease after which worlds get another owner. */
const OUTAGE_MS = 3000
/** A cluster manager needs it to notice that the primary is gone. */
const FAILOVER_MS = 3000
/** Acknowledged answers, and clock changes, before and after each failure. */
const PROGRESS = 25
const CLOCK_ERROR_MS = 5 * 60_000
const MAX_RUN_MS = 400_000

/** Failures of one cluster, one after the other: starting one takes longer than most failures. */
interface Scenario extends ClusterOptions {
  /** No request fails before the last failure, however long it takes. */
  isHidden?: boolean
  failures: Record<string, (cluster: Cluster, t: Test) => Promise<void>>
  /** The node that reads everything at the end. */
  newNode?: Partial<NodeOptions>
  /** After the end of all nodes. */
  afterwards?(cluster: Cluster, t: Test): Promise<void>
}

/** The largest difference between the time of the default world, as nodes answer it, and this machine's. */
async function clockDifference({ nodes }: Cluster): Promise<number> {
  const clocks = await Promise.all(nodes.map(({ url }) => control(url, 'GET /clock')))
  return Math.max(...clocks.map(({ now }) => Math.abs(Date.parse(now) - Date.now())))
}

const FAILING_NODES: Scenario = {
  isInNamespaces: true,
  isReplicated: true,
  failures: {
    async 'the owner is killed'({ owner, remove, load, addNode }) {
      await remove(await owner(), 'SIGKILL')
      await load.progress(PROGRESS)
      await addNode()
    },
    async 'the owner is paused until another node has its worlds'({ owner, ownerAfter }) {
      const old = await owner()
      old.signal('SIGSTOP')
      await ownerAfter(old)
      old.signal('SIGCONT')
    },
    async 'the owner is cut off from the database, but not from clients'({ owner, ownerAfter }) {
      const old = await owner()
      old.connection.pause(true)
      await ownerAfter(old)
      old.connection.pause(false)
    },
    // Without a write in flight, the old owner learns only from the end of its lease that its reads are stale.
    async 'the owner is cut off from the database, and only others get writes'({ nodes, owner, ownerAfter, load }) {
      const old = await owner()
      await load.stopWrites()
      old.connection.pause(true)
      load.writeAt = [await ownerAfter(old)]
      await load.progress(PROGRESS)
      load.writeAt = nodes
      old.connection.pause(false)
    },
    async 'each link between nodes and the database fails'({ namespaces, load }) {
      for (const link of namespaces!.links) {
        namespaces!.setLink(link, 'down')
        await setTimeout(OUTAGE_MS)
        namespaces!.setLink(link, 'up')
        await load.progress(PROGRESS)
      }
    },
    // The old primary commits nothing without its standby: it renews no lease either.
    async 'the owner stays at a primary that was paused, while the standby is promoted'(cluster) {
      const { database, failOver, owner, load } = cluster
      const [old, node] = [database(), await owner()]
      old.signal('SIGSTOP')
      await setTimeout(FAILOVER_MS)
      failOver()
      node.connection.switchTo(old.port)
      old.signal('SIGCONT')
      await load.progress(PROGRESS)
      node.connection.switchTo(database().port)
    },
  },
}

const FAILING_DATABASES: Scenario = {
  isReplicated: true,
  leaseMs: 10_000,
  isHidden: true,
  nodeOptions: (n) =>
    n === 1 ? { prefix: ['faketime', '-f', '+5m'], env: { FAKETIME_DONT_FAKE_MONOTONIC: '1' } } : {},
  failures: {
    async 'the clock of a node is 5 minutes off'(cluster, t) {
      const [right, wrong] = cluster.nodes
      const { headers } = await fetch(`${wrong!.url}/readyz`)
      t.ok(Date.parse(headers.get('date')!) - Date.now() > CLOCK_ERROR_MS / 2, 'the clock of the process')
      t.equal(await cluster.owner(), right)
      t.ok((await clockDifference(cluster)) < CLOCK_ERROR_MS / 2, 'the time of the world at both nodes')
    },
    async 'connections are cut between COMMIT and its answer'({ nodes }) {
      for (let n = 0; n < 20; n++) {
        for (const { connection } of nodes) connection.cutAnswers(1)
        await setTimeout(100)
      }
    },
    async 'the primary is killed, and the standby promoted after 3 seconds'({ database, failOver, addStandby }) {
      database().signal('SIGKILL')
      await setTimeout(FAILOVER_MS)
      failOver()
      await addStandby()
    },
    async 'the primary is paused, the standby promoted, and the old primary continues'(cluster, t) {
      const { database, failOver, load } = cluster
      const old = database()
      old.signal('SIGSTOP')
      await setTimeout(FAILOVER_MS)
      failOver()
      old.signal('SIGCONT')
      const heads = () => old.sql('SELECT id, epoch, seq FROM mercadito.world ORDER BY id')
      const before = heads()
      await load.progress(PROGRESS)
      t.equal(heads(), before, 'the old primary acknowledges nothing')
    },
    async 'a node whose clock is wrong becomes the owner'(cluster, t) {
      const { nodes, owner, remove, load, database } = cluster
      const [right, wrong] = nodes
      t.equal(await owner(), right, 'no lease has ended early')
      t.equal(database().sql('SELECT count(*) FROM mercadito.node WHERE dead'), '0')
      await remove(right!, 'SIGTERM')
      await load.progress(PROGRESS)
      t.equal(await owner(), wrong)
      t.ok((await clockDifference(cluster)) < CLOCK_ERROR_MS / 2, 'the time of the world at this node')
    },
  },
}

const NEWER_VERSION: Scenario = {
  newNode: { isNewer: true },
  failures: {
    async 'nodes are replaced one after the other'({ nodes, addNode, remove, owner, load, database }, t) {
      for (const old of [...nodes]) {
        await addNode({ isNewer: true })
        await remove(old, 'SIGTERM')
        await load.progress(PROGRESS)
      }
      // It sends requests on, and has no world that the newer ones have migrated.
      const old = await addNode()
      await remove(nodes[0]!, 'SIGTERM')
      await load.progress(PROGRESS)
      const formats = database().sql('SELECT DISTINCT format FROM mercadito.world')
      t.equal(formats, String(migrationCount() + 1))
      t.not(await owner(), old)
    },
  },
  async afterwards({ addNode }, t) {
    await t.rejects(addNode(), { message: /newer version/ }, 'an old node does not open a migrated world')
  },
}

const SCENARIOS = {
  'nodes and networks fail': FAILING_NODES,
  'databases and clocks fail': FAILING_DATABASES,
  'a newer version': NEWER_VERSION,
}

// Half of their time they wait for leases and outages.
t.jobs = 2
for (const [title, scenario] of Object.entries(SCENARIOS))
  for (let run = 1; run <= RUNS; run++)
    t.test(`${title}, run ${run}`, { timeout: MAX_RUN_MS, buffered: true }, (t) => play(t, scenario))

async function play(t: Test, { failures, isHidden, newNode, afterwards, ...options }: Scenario): Promise<void> {
  const cluster = await startCluster(t, options, random)
  const { load } = cluster
  await load.progress(PROGRESS)
  for (const [title, fail] of Object.entries(failures)) {
    if (isHidden) t.strictSame(load.failed, [], 'no request has failed')
    await t.test(title, async (t) => {
      await fail(cluster, t)
      await load.progress(PROGRESS)
      t.strictSame(load.unexpected, [], 'each answer is explained')
    })
  }
  await verify(t, cluster, newNode)
  await afterwards?.(cluster, t)
}
