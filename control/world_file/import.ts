import { type ClockSetting, realNow, settingAt } from '../../db/clock.ts'
import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import { writeEmptyFile } from '../../db/migrate.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import { type Switches, storeClock, writeWorldRow } from '../../db/world.ts'
import type { Populate } from '../../db/worlds.ts'
import type { NetworkPolicy } from '../../domains/notifications/outbound/network_policy.ts'
import { parseInstantParameter } from '../../domains/shared/schemas.ts'
import { createItemIndex, createUserIndex } from '../../domains/shared/world_file/indexes.ts'
import { setCounter } from '../../domains/shared/world_file/operations.ts'
import type { ImportContext, ListReader, WorldFileList } from '../../domains/world_file.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { originAt } from '../../scenarios/history.ts'
import { randomKey, seededKey } from '../../scenarios/index.ts'
import { FILE_SCENARIO } from '../../scenarios/names.ts'
import { isNumberedTable, readCounters } from './queries.ts'
import { readElements, readMember, type Span } from './scanner.ts'
import { SINGLE_MEMBERS, type SingleMembers } from './schemas.ts'
import { LISTS } from './sections.ts'
import { scanFile } from './temp_files.ts'
import { parseElement, validate } from './validation.ts'

/** Properties of an imported world that its file does not contain. */
interface ImportDefaults {
  switches: Switches
  /** Whether its tokens must not be guessable. */
  secret: boolean
  /** Instead of one that follows from the seed and the number of the world. */
  key?: string | undefined
  networkPolicy: NetworkPolicy
}

/**
 * Creates the world that a file describes; `members` are the byte ranges of its members. Throws a 400 that names the place of
 * the first error; the caller then discards the draft.
 */
export function populateFromFile(path: string, members: Map<string, Span>, defaults: ImportDefaults): Populate {
  return async (draft, id) => {
    for (const name of members.keys())
      if (!MEMBER_NAMES.includes(name))
        throw badRequest(`${name}: is an unknown member; a world file has ${MEMBER_NAMES.join(', ')}`)
    const world = await readWorld(path, members)
    writeEmptyFile(draft)
    const { q, close } = openDraft(draft)
    try {
      const written = await writeWorld(q, id, world, defaults)
      const context = { ...written, hasList: (name: string) => members.has(name) }
      for (const [name, list] of LISTS) await list.import(context, listReader(path, name, list, members.get(name)))
      await raiseCounters(context)
    } finally {
      close()
    }
  }
}

/** The same for a file of this machine; error messages begin with its path. */
export function populateFromPath(path: string, defaults: ImportDefaults): Populate {
  return async (draft, id) => {
    try {
      const { members } = await scanFile(path)
      await populateFromFile(path, members, defaults)(draft, id)
    } catch (error) {
      throw new Error(
        `${path}: ${(error as { code?: string }).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}`,
      )
    }
  }
}

const MEMBER_NAMES = [...Object.keys(SINGLE_MEMBERS), ...LISTS.keys()]

interface FileWorld {
  seed: number
  assumptions: Switches
  counters: Record<string, number>
  /** World time, ms. */
  now: number
  clock: ClockSetting
}

/** Reads the members that are not lists. */
async function readWorld(path: string, members: Map<string, Span>): Promise<FileWorld> {
  const values: Partial<SingleMembers> = {}
  for (const [name, schema] of Object.entries(SINGLE_MEMBERS)) {
    const span = members.get(name)
    if (!span) continue
    const value = await readMember(path, name, span)
    validate(schema, value, name)
    Object.assign(values, { [name]: value })
  }
  if (values.version === undefined) throw badRequest('version: is required, must be 1')
  const { clock = { mode: 'real' }, seed = 1, assumptions = {}, counters = {} } = values
  if (clock.mode === 'real' && clock.now !== undefined)
    throw badRequest('clock.now: real time cannot be set; use shifted or frozen')
  if (clock.mode === 'frozen' && clock.now === undefined)
    throw badRequest('clock.now: is required with frozen, must be an ISO 8601 date-time')
  const now = clock.now === undefined ? realNow() : parseInstantParameter('clock.now', clock.now)
  return { seed, assumptions, counters, now, clock: settingAt(clock.mode, now) }
}

/** Writes the world's own row; answers the context for the import of its lists. */
async function writeWorld(
  q: Q,
  id: number,
  { seed, assumptions, counters, now, clock }: FileWorld,
  { secret, key: givenKey, switches, networkPolicy }: ImportDefaults,
): Promise<Omit<ImportContext, 'hasList'>> {
  const key = givenKey ?? (secret ? randomKey() : seededKey(FILE_SCENARIO, seed, id))
  const origin = originAt(now)
  await writeWorldRow(q, {
    id,
    scenario: FILE_SCENARIO,
    seed,
    now: clock.mode === 'frozen' ? now : null,
    made_at: now,
    origin,
    key,
    switches: { ...switches, ...assumptions },
  })
  await storeClock(q, clock)
  return {
    q,
    id,
    key,
    now,
    origin,
    counters,
    networkPolicy,
    users: createUserIndex(),
    items: createItemIndex(),
    applications: [],
    rowsWritten: createRowYielder(),
    instantOf: (place, text) => (text === undefined ? now : parseInstantParameter(place, text)),
  }
}

function listReader(
  path: string,
  name: string,
  list: WorldFileList,
  span: Span | undefined,
): ListReader<Record<string, unknown>> {
  return {
    isPresent: span !== undefined,
    async each(importElement) {
      if (!span) return
      let position = 0
      const rowsWritten = createRowYielder()
      for await (const texts of readElements(path, name, span))
        for (const text of texts) {
          if (position === list.maxElements) throw badRequest(`${name}: must have at most ${list.maxElements} elements`)
          const place = `${name}[${position++}]`
          await importElement(parseElement(list.element, text, place), place)
          await rowsWritten(1)
        }
    },
  }
}

/** Rows written before the import yields to the event loop: a few milliseconds. */
const ROWS_PER_YIELD = 100

function createRowYielder() {
  let rows = 0
  return async (more: number): Promise<void> => {
    rows += more
    if (rows < ROWS_PER_YIELD) return
    rows = 0
    await yieldToEventLoop()
  }
}

/** Raises counters to those of the file, so that later ids continue there; never lowers one that the import has used. */
async function raiseCounters({ q, counters }: ImportContext): Promise<void> {
  const used = await readCounters(q)
  for (const [name, n] of Object.entries(counters))
    if (!isNumberedTable(name) && n > (used[name] ?? 0)) await setCounter(q, name, n)
}
