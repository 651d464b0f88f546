import { setTimeout } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { migrationCount } from '../../db/migrate.ts'
import { randomNumbers, SEED, sizeOr } from '../support/torture.ts'
import { until } from '../support/until.ts'
import { type Cluster, type ClusterOptions, control, startCluster } from './cluster.ts'
import type { NodeOptions } from './nodes.ts'
import { verify } from './verification.ts'

/** Of each failure. */
const RUNS = sizeOr(1)
const random = randomNumbers(SEED)
/** Longer than the lease after which worlds get another owner. */
const OUTAGE_MS = 5000
/** A cluster manager needs it to notice that the primary is gone. */
const FAILOVER_MS = 3000
/** Acknowledged answers, and clock changes, before and after each failure. */
const PROGRESS = 25
const CLOCK_ERROR_MS = 5 * 60_000
const MAX_RUN_MS = 180_000

interface Scenario extends ClusterOptions {
  /** No request fails, however long it takes. */
  isHidden?: boolean
  fail(cluster: Cluster, t: Test): Promise<void>
  /** The node that reads everything at the end. */
  newNode?: Partial<NodeOptions>
  /** After the end of all nodes. */
  afterwards?(cluster: Cluster, t: Test): Promise<void>
}

const SCENARIOS: Record<string, Scenario> = {
  'the owner is killed': {
    async fail({ owner, remove }) {
      await remove(await owner(), 'SIGKILL')
    },
  },
  'the owner is paused for 8 seconds': {
    async fail({ owner }) {
      const node = await owner()
      node.signal('SIGSTOP')
      await setTimeout(8000)
      node.signal('SIGCONT')
    },
  },
  'the owner is cut off from the database, but not from clients': {
    async fail({ owner }) {
      const { connection } = await owner()
      connection.pause(true)
      await setTimeout(OUTAGE_MS)
      connection.pause(false)
    },
  },
  // Without a write in flight, only the end of its lease tells it that its reads are stale.
  'the owner is cut off from the database, and only others get writes': {
    async fail({ nodes, owner, load }) {
      const old = await owner()
      await load.stopWrites()
      old.connection.pause(true)
      await until('another owner', async () => (await owner()) !== old)
      load.writeAt = [await owner()]
      await load.progress(PROGRESS)
      load.writeAt = nodes
      old.connection.pause(false)
    },
  },
  'each link between nodes and the database fails': {
    isInNamespaces: true,
    async fail({ namespaces, load }) {
      for (const link of namespaces!.links) {
        namespaces!.setLink(link, 'down')
        await setTimeout(OUTAGE_MS)
        namespaces!.setLink(link, 'up')
        await load.progress(PROGRESS)
      }
    },
  },
  'the primary is killed, and the standby promoted after 3 seconds': {
    isReplicated: true,
    leaseMs: 10_000,
    isHidden: true,
    async fail({ database, failOver }) {
      database().signal('SIGKILL')
      await setTimeout(FAILOVER_MS)
      failOver()
    },
  },
  'the primary is paused, the standby promoted, and the old primary continues': {
    isReplicated: true,
    leaseMs: 10_000,
    isHidden: true,
    async fail({ database, failOver, load }, t) {
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
  },
  // The old primary commits nothing without its standby: it renews no lease either.
  'the owner stays at a primary that was paused, while the standby is promoted': {
    isReplicated: true,
    async fail({ database, failOver, owner, load }) {
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
  'connections are cut between COMMIT and its answer': {
    leaseMs: 10_000,
    isHidden: true,
    async fail({ nodes }) {
      for (let n = 0; n < 20; n++) {
        for (const { connection } of nodes) connection.cutAnswers(1)
        await setTimeout(100)
      }
    },
  },
  'the clock of a node is 5 minutes off': {
    leaseMs: 10_000,
    nodeOptions: (n) =>
      n === 1 ? { prefix: ['faketime', '-f', '+5m'], env: { FAKETIME_DONT_FAKE_MONOTONIC: '1' } } : {},
    async fail({ nodes, owner, remove, load, database }, t) {
      const difference = async () => {
        const clocks = await Promise.all(nodes.map(({ url }) => control(url, 'GET /clock')))
        return Math.max(...clocks.map(({ now }) => Math.abs(Date.parse(now) - Date.now())))
      }
      const [right, wrong] = nodes
      const { headers } = await fetch(`${wrong!.url}/readyz`)
      t.ok(Date.parse(headers.get('date')!) - Date.now() > CLOCK_ERROR_MS / 2, 'the clock of the process')
      t.equal(await owner(), right)
      t.ok((await difference()) < CLOCK_ERROR_MS / 2, 'the time of the world at both nodes')
      await setTimeout(OUTAGE_MS)
      t.equal(await owner(), right, 'no lease ends early')
      t.equal(database().sql('SELECT count(*) FROM mercadito.node WHERE dead'), '0')
      await remove(right!, 'SIGTERM')
      await load.progress(PROGRESS)
      t.equal(await owner(), wrong)
      t.ok((await difference()) < CLOCK_ERROR_MS / 2, 'the time of the world at the node whose clock is wrong')
    },
  },
  'nodes are replaced by those of a newer version, one after the other': {
    newNode: { isNewer: true },
    async fail({ nodes, addNode, remove, owner, load, database }, t) {
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
    async afterwards({ addNode }, t) {
      await t.rejects(addNode(), { message: /newer version/ }, 'an old node does not open a migrated world')
    },
  },
}

// Half of their time they wait for leases and outages.
t.jobs = 2
for (const [title, { fail, isHidden, newNode, afterwards, ...options }] of Object.entries(SCENARIOS))
  for (let run = 1; run <= RUNS; run++)
    t.test(`${title}, run ${run}`, { timeout: MAX_RUN_MS, buffered: true }, async (t) => {
      const cluster = await startCluster(t, options, random)
      await cluster.load.progress(PROGRESS)
      await fail(cluster, t)
      await cluster.load.progress(PROGRESS)
      if (isHidden) t.strictSame(cluster.load.failed, [], 'no request fails')
      await verify(t, cluster, newNode)
      await afterwards?.(cluster, t)
    })
