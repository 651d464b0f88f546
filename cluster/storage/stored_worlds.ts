import type { QueryResultRow } from 'pg'
import type { Database } from './database.ts'
import type { ListedWorld, SavedState, StoredState, WorldReader } from './directory.ts'
import type { Image } from './image.ts'
import { readState } from './states.ts'

/** The worlds of a database, which are read without claims: another node may own them, and a standby can be read, too. */
export class StoredWorlds implements WorldReader {
  readonly #database: Pick<Database, 'query' | 'snapshot'>

  constructor(database: Pick<Database, 'query' | 'snapshot'>) {
    this.#database = database
  }

  worlds(): Promise<ListedWorld[]> {
    return this.#database.query<ListedWorld & QueryResultRow>(
      `SELECT world.id, record, (SELECT sum(bytes) FROM mercadito.state WHERE state.world = world.id)::bigint AS bytes,
         node.id IS NULL OR node.dead OR node.seen + node.lease < clock_timestamp() AS "isFree"
       FROM mercadito.world LEFT JOIN mercadito.node ON node.id = holder ORDER BY world.id`,
    )
  }

  async lastNumber(): Promise<number> {
    const [row] = await this.#database.query<{ last: number }>(
      'SELECT last_value - CASE WHEN is_called THEN 0 ELSE 1 END AS last FROM mercadito.world_number',
    )
    return row!.last
  }

  read(world: number): Promise<Image | undefined> {
    return this.#database.snapshot(async (query) => {
      const [row] = await query<{ state: number; seq: number }>(
        'SELECT state, seq FROM mercadito.world WHERE id = $1',
        [world],
      )
      return row && readState(query, row.state, row.seq)
    })
  }

  saved(world: number): Promise<SavedState[]> {
    return this.#database.query<SavedState & QueryResultRow>(
      'SELECT name, details, bytes FROM mercadito.state WHERE world = $1 AND name IS NOT NULL ORDER BY name',
      [world],
    )
  }

  loadSaved(world: number, name: string): Promise<Image | undefined> {
    return this.#database.snapshot(async (query) => {
      const [row] = await query<{ id: number }>('SELECT id FROM mercadito.state WHERE world = $1 AND name = $2', [
        world,
        name,
      ])
      return row && readState(query, row.id, 0)
    })
  }

  readAll(world: number, onState: (state: StoredState) => Promise<void>): Promise<void> {
    return this.#database.snapshot(async (query) => {
      const rows = await query<{ id: number; name: string | null; details: string | null; seq: number }>(
        `SELECT state.id, name, details, CASE WHEN state.id = world.state THEN seq ELSE 0 END AS seq
         FROM mercadito.state JOIN mercadito.world ON world.id = state.world WHERE world.id = $1 ORDER BY state.id`,
        [world],
      )
      for (const { id, name, details, seq } of rows)
        await onState({ name, details, image: await readState(query, id, seq) })
    })
  }
}
