import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import type { Test } from 'tap'
import { writeImage } from '../../cluster/storage/ownership.ts'
import { openPostgres } from '../../cluster/storage/postgres.ts'
import { migrationCount } from '../../db/migrate.ts'
import { type Cluster, control } from './cluster.ts'
import { INITIAL_CLOCK, UNANSWERED } from './load.ts'
import type { NodeOptions } from './nodes.ts'
import { claimCount, sharedClaims } from './owners.ts'

/** Questions that are read at the same time. */
const READERS = 8
/** Attempts of notifications that have failed are repeated within it. */
const REPETITIONS_MS = 2 * 3_600_000
const NOTIFICATIONS_TIMEOUT_MS = 30_000
/** Two worlds have more claims than these where each is claimed again at the end. */
const MIN_CLAIMS = 2

/** Ends the load and all nodes; what was acknowledged is then read at a new node, and in the database. */
export async function verify(t: Test, cluster: Cluster, newNode: Partial<NodeOptions> = {}): Promise<void> {
  const { load, nodes } = cluster
  await load.stop()
  const worldOf = (register: string) => (register === 'clock' ? 'with the clock' : 'of the questions')
  const pause = Math.round(load.history.longestPause(worldOf))
  t.comment(
    `${load.questions.size} questions, ${load.answers.size} answers and ${load.clockChanges} clock changes acknowledged, ` +
      `${load.failed.length} requests failed, longest pause ${pause} ms`,
  )
  t.ok(load.answers.size > 0)
  for (const node of [...nodes]) await cluster.remove(node, 'SIGTERM')
  const { url } = await cluster.addNode(newNode)
  const ids = load.questions.keys()
  const readAll = async () => {
    for (const id of ids) while ((await load.readQuestion('at the end', id)) === 'unknown');
    while ((await load.readClock('at the end')) === 'unknown');
  }
  await Promise.all(Array.from({ length: READERS }, readAll))
  t.strictSame(load.unexpected, [])
  const violations = load.history.violations((register) => (register === 'clock' ? INITIAL_CLOCK : UNANSWERED))
  t.strictSame(violations, [], 'no read is stale, and no write is lost')
  // What has failed is repeated later.
  await control(url, 'PUT /clock', { mode: 'shifted', now: new Date(Date.now() + REPETITIONS_MS).toISOString() })
  t.strictSame(await missingNotifications(cluster), [], 'each notification was received')
  for (const node of [...nodes]) await cluster.remove(node, 'SIGTERM')
  await verifyFiles(t, cluster)
  t.equal(sharedClaims(cluster.database()), '', 'no claim of a world had two owners')
  t.ok(claimCount(cluster.database()) > MIN_CLAIMS)
  t.equal(cluster.errors(), '')
}

async function missingNotifications({ load, notified }: Cluster): Promise<string[]> {
  for (const end = performance.now() + NOTIFICATIONS_TIMEOUT_MS; ; ) {
    const received = Map.groupBy(notified.values(), (resource) => resource)
    const missing = [...load.questions.keys()].filter(
      (id) => (received.get(`/questions/${id}`)?.length ?? 0) < (load.answers.has(id) ? 2 : 1),
    )
    if (missing.length === 0 || performance.now() > end) return missing.map(String)
    await setTimeout(50)
  }
}

/** Compares the worlds as a node loads them. */
async function verifyFiles(t: Test, { database, load, clockWorld }: Cluster): Promise<void> {
  const directory = await openPostgres({
    databaseUrl: database().url,
    leaseMs: 10_000,
    url: null,
    format: migrationCount(),
    onLost() {},
    onError: (error) => t.error(error),
  })
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-verified-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const fileOf = (world: number) => join(folder, `${world}.sqlite`)
  for (const world of [1, clockWorld]) {
    await writeImage((await directory.read(world))!, fileOf(world))
    const db = new Sqlite(fileOf(world), { readonly: true })
    t.strictSame(db.pragma('integrity_check'), [{ integrity_check: 'ok' }])
    db.close()
  }
  await directory.close()
  const db = new Sqlite(fileOf(1), { readonly: true })
  const rows = db
    .prepare<[], { id: number; text: string; answer: string | null }>(
      `SELECT id, text, answer_text AS answer FROM question WHERE text LIKE 'question %'`,
    )
    .all()
  db.close()
  t.equal(new Set(rows.map(({ text }) => text)).size, rows.length, 'no question is there twice')
  const stored = new Map(rows.map((row) => [row.id, row]))
  const isStored = (id: number) =>
    stored.get(id)?.text === load.questions.get(id) &&
    (!load.answers.has(id) || stored.get(id)?.answer === load.answers.get(id))
  t.strictSame(
    [...load.questions.keys()].filter((id) => !isStored(id)),
    [],
    'every acknowledged question and answer is there',
  )
}
