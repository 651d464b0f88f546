import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { followClock } from '../../db/clock.ts'
import { clearTimeout, setTimeout } from '../../db/timers.ts'
import { type Database, DatabaseUnavailable } from './database.ts'

/** The part of a lease after which its node stops answering, so that it is silent before others claim its worlds. */
const USABLE = 0.8

const FOREIGN_KEY_VIOLATION = '23503'

/** Differences of clocks that are not worth a jump. */
const CLOCK_NOISE_MS = 20

/** The time of the database, in ms since 1970. */
export const MILLISECONDS = '(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now'
type Answer = { now: number }

export interface LeaseOptions {
  /** The address at which other nodes reach this one; null: they do not. */
  url: string | null
  leaseMs: number
  /** The highest format of worlds that this node can open. */
  format: number
  /** Called when the lease has ended or was taken: the node owns nothing any more. */
  onLost: () => void
  /** Called with what is no fault of the connection. */
  onError: (error: Error) => void
}

/** The row of this node. It is renewed four times in a lease, by the clock of the database. */
export class Lease {
  readonly #database: Database
  readonly #options: LeaseOptions
  #node = randomUUID()
  #until = 0
  #isHeld = false
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(database: Database, options: LeaseOptions) {
    this.#database = database
    this.#options = options
  }

  /** Identifies this life of the node: a node whose lease was taken begins a new one. */
  get node(): string {
    return this.#node
  }

  /** The monotonic time until which the node may answer. */
  get until(): number {
    return this.#until
  }

  /** Registers the node, by a connection that may wait longer than renewals do. Rejects with DatabaseUnavailable. */
  async start(database: Database): Promise<void> {
    await this.#register(database)
    this.#schedule()
  }

  async #register(database: Database): Promise<void> {
    const { url, leaseMs, format } = this.#options
    // Rows of nodes that ended long ago, and own nothing.
    await database.query(
      `DELETE FROM mercadito.node WHERE seen < clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT FROM mercadito.world WHERE holder = node.id)`,
    )
    const asked = performance.now()
    const [row] = await database.query<Answer>(
      `INSERT INTO mercadito.node (id, url, lease, format) VALUES ($1, $2, $3 * interval '1 ms', $4)
       RETURNING ${MILLISECONDS}`,
      [this.#node, url, leaseMs, format],
    )
    this.#extend(asked, row!)
  }

  #extend(asked: number, { now }: Answer): void {
    const travelled = (performance.now() - asked) / 2
    followClock(now + travelled, travelled + CLOCK_NOISE_MS)
    // Counted from before the database was asked: it renews later, so others wait longer.
    this.#until = asked + this.#options.leaseMs * USABLE
    this.#isHeld = true
  }

  #schedule(delay = this.#options.leaseMs / 4): void {
    if (this.#isClosed) return
    this.#timer = setTimeout(() => {
      void this.#renew()
        .then(
          () => undefined,
          (error) => {
            if (!(error instanceof DatabaseUnavailable)) this.#options.onError(error)
            // Soon: an attempt that has failed late leaves little of the lease.
            return this.#options.leaseMs / 40
          },
        )
        .then((delay) => {
          if (performance.now() >= this.#until) this.#lose()
          this.#schedule(delay)
        })
    }, delay).unref()
  }

  async #renew(): Promise<void> {
    const asked = performance.now()
    const [renewed] = await this.#database.query<Answer>(
      `UPDATE mercadito.node SET seen = clock_timestamp() WHERE id = $1 AND NOT dead RETURNING ${MILLISECONDS}`,
      [this.#node],
    )
    if (this.#isClosed) return
    // After a pause of this process others may own its worlds, although its row is alive: it must not answer for those.
    if (performance.now() >= this.#until) this.#lose()
    if (renewed) return this.#extend(asked, renewed)
    this.#lose()
    this.#node = randomUUID()
    await this.#register(this.#database)
  }

  #lose(): void {
    if (!this.#isHeld) return
    this.#isHeld = false
    this.#until = 0
    this.#options.onLost()
  }

  /** Gives all worlds up, so that others need not wait for the end of the lease. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#lose()
    // A claim in flight comes later: others take its world from a dead node.
    await this.#database.query('UPDATE mercadito.node SET dead = true WHERE id = $1', [this.#node])
    await this.#database.query('UPDATE mercadito.world SET holder = NULL WHERE holder = $1', [this.#node])
    await this.#database.query('DELETE FROM mercadito.node WHERE id = $1', [this.#node]).catch((error) => {
      if (error.code !== FOREIGN_KEY_VIOLATION) throw error
    })
  }
}
