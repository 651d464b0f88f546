import type { Query } from './database.ts'
import { Image } from './image.ts'
import { applyEntry, changedChunks, DamagedLog, packChunk, unpackChunk, unpackEntry } from './log_entry.ts'
import { hashOf, readFileChunks, type StateFile } from './state_file.ts'

// Stored states: chunks of a database file, and a log of what has changed since. Chunks that a state lacks are those of
// its base, which has no log.

/** Rows in one statement: about a megabyte. */
const CHUNKS_PER_STATEMENT = 64

interface ChunkRow {
  n: number
  hash: Buffer
  bytes: Buffer
}

/** Whose state it is, and its name unless it is the present one; a template belongs to no world. */
export interface StateOwner {
  world: number | null
  name: string | null
  details?: string | null
}

/** A state whose chunks others need not store again. */
export interface Template {
  state: number
  hashes: Buffer[]
}

/** What a new state is stored from. */
export interface NewState {
  file: StateFile
  template?: Template
}

/** Stores a state with the chunks that its template does not have. Resolves with its id. */
export async function insertState(
  query: Query,
  { world, name, details = null }: StateOwner,
  { file, template }: NewState,
): Promise<number> {
  const [row] = await query<{ id: number }>(
    'INSERT INTO mercadito.state (world, name, details, base, bytes) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [world, name, details, template?.state ?? null, file.size],
  )
  const differing = file.hashes.flatMap((hash, n) => (template?.hashes[n]?.equals(hash) ? [] : [n]))
  await storeChunks(query, row!.id, differing, (numbers) => readFileChunks(file, numbers))
  return row!.id
}

/** `read`: the chunks with these numbers. */
async function storeChunks(
  query: Query,
  state: number,
  numbers: readonly number[],
  read: (numbers: readonly number[]) => Buffer[] | Promise<Buffer[]>,
): Promise<void> {
  for (let from = 0; from < numbers.length; from += CHUNKS_PER_STATEMENT) {
    const some = numbers.slice(from, from + CHUNKS_PER_STATEMENT)
    const chunks = await read(some)
    const packed = await Promise.all(chunks.map(packChunk))
    await query(
      `INSERT INTO mercadito.chunk (state, n, hash, bytes)
       SELECT $1, * FROM unnest($2::int[], $3::bytea[], $4::bytea[])
       ON CONFLICT (state, n) DO UPDATE SET hash = excluded.hash, bytes = excluded.bytes`,
      [state, some, chunks.map(hashOf), packed],
    )
  }
}

/** Removes what servers have left that ended while they created a world. */
export async function removeUnfinished(query: Query): Promise<void> {
  await query(
    `DELETE FROM mercadito.state WHERE world IS NOT NULL AND created < clock_timestamp() - interval '1 hour'
     AND NOT EXISTS (SELECT FROM mercadito.world WHERE id = state.world)`,
  )
}

/** The hashes of the chunks of a template. */
export async function readTemplate(query: Query, state: number): Promise<Template> {
  const rows = await query<{ hash: Buffer }>('SELECT hash FROM mercadito.chunk WHERE state = $1 ORDER BY n', [state])
  return { state, hashes: rows.map(({ hash }) => hash) }
}

/** Reads a state with its log up to entry `seq`. The statements must see the same data. Throws DamagedLog. */
export async function readState(query: Query, state: number, seq: number): Promise<Image> {
  const { image, base, folded } = await readRow(query, state)
  for (let from = 0; from < image.chunkCount; from += CHUNKS_PER_STATEMENT) {
    const numbers = Array.from(
      { length: Math.min(CHUNKS_PER_STATEMENT, image.chunkCount - from) },
      (_, number) => from + number,
    )
    await readChunks(query, { state, base, image, numbers })
  }
  for (const entry of await readLog(query, { state, folded, seq })) applyEntry(entry, image)
  return image
}

/**
 * Reads the chunks that the log of a state changes up to an entry, with these changes. Undefined if there are none.
 * The statements must see the same data. Throws DamagedLog.
 */
export async function readChanges(query: Query, state: number, seq: number): Promise<Image | undefined> {
  const { image, base, folded } = await readRow(query, state)
  const entries = await readLog(query, { state, folded, seq })
  if (entries.length === 0) return undefined
  const numbers = new Set(entries.flatMap((entry) => [...changedChunks(entry)]))
  await readChunks(query, { state, base, image, numbers: [...numbers] })
  for (const entry of entries) applyEntry(entry, image)
  return image
}

/** Replaces the log up to an entry by the chunks that `readChanges` has given. */
export async function storeChanges(query: Query, state: number, seq: number, image: Image): Promise<void> {
  await storeChunks(query, state, image.changed, (numbers) => numbers.map((number) => image.chunk(number)))
  await query('UPDATE mercadito.state SET bytes = $2, folded = $3 WHERE id = $1', [state, image.size, seq])
  await query('DELETE FROM mercadito.log WHERE state = $1 AND seq <= $2', [state, seq])
}

interface StateRow {
  bytes: number
  base: number | null
  folded: number
}

async function readRow(query: Query, state: number): Promise<Omit<StateRow, 'bytes'> & { image: Image }> {
  const [row] = await query<StateRow>('SELECT bytes, base, folded FROM mercadito.state WHERE id = $1', [state])
  if (!row) throw new DamagedLog(`there is no state ${state}`)
  return { ...row, image: new Image(row.bytes) }
}

interface ChunksOfState {
  state: number
  base: number | null
  image: Image
  numbers: number[]
}

async function readChunks(query: Query, { state, base, image, numbers }: ChunksOfState): Promise<void> {
  const existing = numbers.filter((number) => number < image.chunkCount)
  const rows = await query<ChunkRow>(
    `SELECT DISTINCT ON (n) n, hash, bytes FROM mercadito.chunk WHERE state IN ($1, $2) AND n = ANY ($3::int[])
     ORDER BY n, state = $1 DESC`,
    [state, base ?? state, existing],
  )
  if (rows.length < existing.length) throw new DamagedLog('a chunk of a stored state is missing')
  await Promise.all(
    rows.map(async ({ n, hash, bytes }) => {
      const chunk = await unpackChunk(bytes)
      if (!hashOf(chunk).equals(hash)) throw new DamagedLog(`chunk ${n} of a stored state has changed`)
      image.set(n, chunk)
    }),
  )
}

/** The entries after `folded` up to `seq`. Throws DamagedLog if one is missing. */
async function readLog(
  query: Query,
  { state, folded, seq }: { state: number; folded: number; seq: number },
): Promise<Buffer[]> {
  const rows = await query<{ seq: number; bytes: Buffer }>(
    'SELECT seq, bytes FROM mercadito.log WHERE state = $1 AND seq > $2 AND seq <= $3 ORDER BY seq',
    [state, folded, seq],
  )
  const missing = rows.findIndex((row, index) => row.seq !== folded + 1 + index)
  if (missing >= 0 || rows.length < seq - folded)
    throw new DamagedLog(`entry ${folded + 1 + (missing < 0 ? rows.length : missing)} of the log is missing`)
  return rows.map(({ bytes }) => unpackEntry(bytes))
}
