import { type Database, openDatabase, type Query, untilAnswered } from './database.ts'
import {
  type Claim,
  type Directory,
  type ListedWorld,
  Moved,
  NewerWorld,
  type SavedState,
  type WorldPlace,
} from './directory.ts'
import type { Image } from './image.ts'
import { Lease, type LeaseOptions } from './lease.ts'
import { packEntry } from './log_entry.ts'
import { MAX_CONNECTIONS } from './nodes.ts'
import { migrateTables } from './schema.ts'
import { insertState, readChanges, readState, removeUnfinished, storeChanges } from './states.ts'
import { StoredWorlds } from './stored_worlds.ts'
import { Templates } from './templates.ts'

export interface PostgresOptions extends LeaseOptions {
  /** `postgres://user:password@host/database` */
  databaseUrl: string
}

/** Ms in which any database answers a renewal. */
const MIN_RENEWAL_TIMEOUT_MS = 1000
/** Ms in which any database answers at a start, which may take longer than a lease. */
const MIN_START_TIMEOUT_MS = 10_000

/** Creates the tables if they are missing, and registers this node. Rejects with DatabaseUnavailable, NewerSchema. */
export async function openPostgres({ databaseUrl, ...options }: PostgresOptions): Promise<Directory> {
  const { leaseMs } = options
  const open = (timeoutMs: number, maxConnections: number) =>
    openDatabase({ url: databaseUrl, timeoutMs, maxConnections })
  const database = await open(leaseMs, MAX_CONNECTIONS - 1)
  // Renewals wait for nothing else, and are repeated in time where a connection has died silently.
  const ofLease = await open(Math.max(leaseMs / 4, MIN_RENEWAL_TIMEOUT_MS), 1)
  const ofStart = await open(Math.max(leaseMs, MIN_START_TIMEOUT_MS), 1)
  const close = async () => {
    await Promise.all([database.close(), ofLease.close()])
  }
  try {
    await ofStart.withConnection(migrateTables)
    const lease = new Lease(ofLease, options)
    await lease.start(ofStart)
    await removeUnfinished(ofStart.query)
    return new PostgresDirectory(database, lease, options.format, close)
  } catch (error) {
    await close()
    throw error
  } finally {
    await ofStart.close()
  }
}

class PostgresDirectory extends StoredWorlds implements Directory {
  readonly #database: Database
  readonly #lease: Lease
  readonly #format: number
  readonly #templates: Templates
  readonly #closeConnections: () => Promise<void>

  constructor(database: Database, lease: Lease, format: number, closeConnections: () => Promise<void>) {
    super(database)
    this.#database = database
    this.#lease = lease
    this.#templates = new Templates(database)
    this.#format = format
    this.#closeConnections = closeConnections
  }

  get node(): string {
    return this.#lease.node
  }

  until(): number {
    return this.#lease.until
  }

  // As writes do, requests wait for a database that is away for a short time.
  override worlds(): Promise<ListedWorld[]> {
    return this.#untilKnown(() => super.worlds())
  }

  claim(world: number): Promise<Claim | WorldPlace | undefined> {
    // A claim whose outcome is not known can be repeated: its node may claim a world that it has.
    return this.#untilKnown(() => this.#claim(world))
  }

  async #claim(world: number): Promise<Claim | WorldPlace | undefined> {
    for (;;) {
      const claimed = await this.#claimFrom(world, null)
      if (claimed) return claimed
      const place = await this.#placeOf(world)
      if (!place) return undefined
      const { node, isNewer } = place
      if (node && !(await this.#isExpired(node.id))) return { world, node }
      if (isNewer) throw new NewerWorld(`world ${world} was opened by a newer version of mercadito; start that version`)
      const taken = node && (await this.#claimFrom(world, node.id))
      if (taken) return taken
      // It has changed its owner meanwhile.
    }
  }

  /** Whether the lease of a node has ended; it is never renewed then. */
  async #isExpired(node: string): Promise<boolean> {
    const marked = await this.#database.query(
      `UPDATE mercadito.node SET dead = true WHERE id = $1 AND (dead OR seen + lease < clock_timestamp()) RETURNING id`,
      [node],
    )
    return marked.length > 0
  }

  /** Claims a world that has no owner, or this node or a dead one as its owner. */
  async #claimFrom(world: number, dead: string | null): Promise<Claim | undefined> {
    const { node } = this.#lease
    const [claimed] = await this.#database.query<Omit<Claim, 'world' | 'node'>>(
      `UPDATE mercadito.world SET epoch = epoch + 1, holder = $2, format = $3
       WHERE id = $1 AND format <= $3 AND (holder IS NULL OR holder = $2 OR holder = $4)
       RETURNING state, epoch, seq, record`,
      [world, node, this.#format, dead],
    )
    return claimed && { world, node, ...claimed }
  }

  async #placeOf(world: number) {
    const [row] = await this.#database.query<{ id: string | null; url: string | null; format: number }>(
      `SELECT node.id, node.url, world.format FROM mercadito.world LEFT JOIN mercadito.node ON node.id = holder
       WHERE world.id = $1`,
      [world],
    )
    if (!row) return undefined
    return { node: row.id === null ? null : { id: row.id, url: row.url }, isNewer: row.format > this.#format }
  }

  async release({ world, epoch }: Claim): Promise<void> {
    await this.#database.query('UPDATE mercadito.world SET holder = NULL WHERE id = $1 AND epoch = $2', [world, epoch])
  }

  load({ state, seq }: Claim): Promise<Image> {
    return this.#database.snapshot((query) => readState(query, state, seq))
  }

  async append(claim: Claim, entry: Buffer): Promise<void> {
    const seq = claim.seq + 1
    const bytes = packEntry(entry)
    await this.#untilKnown(async () => {
      const [row] = await this.#database.query<{ stored: boolean }>(
        'SELECT mercadito.append($1, $2, $3, $4) AS stored',
        [claim.world, claim.epoch, seq, bytes],
      )
      if (row!.stored) return
      // An attempt before, whose answer was lost, may have stored it.
      const [head] = await this.#database.query<{ epoch: number; seq: number }>(
        'SELECT epoch, seq FROM mercadito.world WHERE id = $1',
        [claim.world],
      )
      if (head?.epoch !== claim.epoch || head.seq !== seq)
        throw new Moved(`world ${claim.world} belongs to another node`)
    })
    claim.seq = seq
  }

  /**
   * Calls `attempt` until its outcome is known, or the lease has ended; also if it was renewed since, as where the database
   * has no space for more.
   */
  #untilKnown<T>(attempt: () => Promise<T>): Promise<T> {
    return untilAnswered(attempt, this.until())
  }

  async fold(claim: Claim): Promise<void> {
    const { state, seq } = claim
    const image = await this.#database.snapshot((query) => readChanges(query, state, seq))
    if (image) await this.#change(claim, (query) => storeChanges(query, state, seq, image))
  }

  async key(): Promise<Buffer> {
    const [row] = await this.#database.query<{ key: Buffer }>('SELECT key FROM mercadito.cluster')
    return row!.key
  }

  async hasOthers(): Promise<boolean> {
    const others = await this.#database.query(
      'SELECT FROM mercadito.node WHERE id <> $1 AND NOT dead AND seen + lease > clock_timestamp() LIMIT 1',
      [this.#lease.node],
    )
    return others.length > 0
  }

  async nextWorld(): Promise<number> {
    const [row] = await this.#database.query<{ id: number }>(`SELECT nextval('mercadito.world_number') AS id`)
    return row!.id
  }

  async create(world: number, file: string, record: string | null): Promise<Claim> {
    const { node } = this.#lease
    const newState = await this.#templates.for(file)
    const state = await this.#database.transaction(async (query) => {
      const state = await insertState(query, { world, name: null }, newState)
      await query(
        'INSERT INTO mercadito.world (id, state, epoch, holder, format, record) VALUES ($1, $2, 1, $3, $4, $5)',
        [world, state, node, this.#format, record],
      )
      return state
    })
    return { world, node, state, epoch: 1, seq: 0, record }
  }

  async replace(claim: Claim, file: string): Promise<Claim> {
    const { world, node, state: before, epoch } = claim
    const newState = await this.#templates.for(file)
    const state = await this.#change(claim, async (query) => {
      const state = await insertState(query, { world, name: null }, newState)
      await query('UPDATE mercadito.world SET state = $2, seq = 0, epoch = epoch + 1 WHERE id = $1', [world, state])
      await query('DELETE FROM mercadito.state WHERE id = $1', [before])
      return state
    })
    return { world, node, state, epoch: epoch + 1, seq: 0, record: claim.record }
  }

  async remove(claim: Claim): Promise<void> {
    await this.#change(claim, async (query) => {
      await query('DELETE FROM mercadito.world WHERE id = $1', [claim.world])
      await query('DELETE FROM mercadito.state WHERE world = $1', [claim.world])
    })
  }

  async setRecord(claim: Claim, record: string | null): Promise<void> {
    await this.#change(claim, (query) =>
      query('UPDATE mercadito.world SET record = $2 WHERE id = $1', [claim.world, record]),
    )
  }

  async save(world: number, { name, details }: Omit<SavedState, 'bytes'>, file: string, claim?: Claim): Promise<void> {
    const newState = await this.#templates.for(file)
    const store = async (query: Query) => {
      await query('DELETE FROM mercadito.state WHERE world = $1 AND name = $2', [world, name])
      await insertState(query, { world, name, details }, newState)
    }
    await (claim ? this.#change(claim, store) : this.#database.transaction(store))
  }

  async deleteSaved(claim: Claim, name: string): Promise<boolean> {
    const deleted = await this.#change(claim, (query) =>
      query('DELETE FROM mercadito.state WHERE world = $1 AND name = $2 RETURNING id', [claim.world, name]),
    )
    return deleted.length > 0
  }

  /** A transaction that no other node's claim can come before. Throws Moved. */
  #change<T>({ world, epoch }: Claim, run: (query: Query) => Promise<T>): Promise<T> {
    return this.#database.transaction(async (query) => {
      const [owned] = await query('SELECT FROM mercadito.world WHERE id = $1 AND epoch = $2 FOR UPDATE', [world, epoch])
      if (!owned) throw new Moved(`world ${world} belongs to another node`)
      return run(query)
    })
  }

  async close(): Promise<void> {
    await this.#lease.close().finally(this.#closeConnections)
  }
}
