import { writeFileSync } from 'node:fs'
import { realNow, settingAt } from '../../db/clock.ts'
import { type Q, yieldToEventLoop } from '../../db/engine.ts'
import { derived } from '../../db/ids.ts'
import { migrate } from '../../db/migrate.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import { type Switches, storeClock, writeWorldRow } from '../../db/world.ts'
import type { Populate } from '../../db/worlds.ts'
import type { NetworkPolicy } from '../../domains/notifications/targets.ts'
import { parseInstantParameter } from '../../domains/shared/schemas.ts'
import { badRequest } from '../../http/errors.ts'
import { originAt } from '../../scenarios/history.ts'
import { randomKey } from '../../scenarios/index.ts'
import { createUserIndex, type UserIndex } from './people.ts'
import { readElements, readMember, type Span } from './scanner.ts'
import {
  type Element,
  LIST_NAMES,
  type ListName,
  maxElements,
  SINGLE_MEMBERS,
  type SingleMemberName,
} from './schemas.ts'
import { SECTIONS } from './sections.ts'
import { scanFile } from './temp_files.ts'
import { parseElement, validateSingle } from './validation.ts'

/** What a world gets that the file does not say. */
export interface ImportDefaults {
  switches: Switches
  /** Its tokens must not be guessable. */
  secret: boolean
  /** How far notifications may go. */
  networkPolicy: NetworkPolicy
}

/** A listing that has been laid out. */
export interface ImportedItem {
  seller_id: number
  status: string
}

/** A world that is being laid out from a file. */
export interface ImportContext {
  q: Q
  id: number
  key: string
  /** World time, ms: what is not dated is dated so. */
  now: number
  /** Ms; times in the contact tables count from here. */
  origin: number
  /** The last numbers that were given, as the file has them. */
  counters: Record<string, number>
  /** How far notifications may go. */
  networkPolicy: NetworkPolicy
  people: UserIndex
  items: Map<string, ImportedItem>
  /** Ids of its applications, by their position in the file. */
  applications: number[]
  has(list: ListName): boolean
  /** Goes through a list; others get their turn meanwhile. */
  each<N extends ListName>(list: N, importElement: (element: Element<N>, place: string) => Promise<void>): Promise<void>
  /** So many rows were written. */
  rowsWritten(rows: number): Promise<void>
  /** Ms of an instant of the file, or now. */
  instantOf(place: string, text: string | undefined): number
}

/** Rows that are written before others get their turn: a few milliseconds. */
const ROWS_PER_YIELD = 100

/** The scenario of a world that was made from a file. */
export const FILE_SCENARIO = 'file'

/**
 * Lays out the world that a file describes; its members stand at `members`. Throws a 400 that names the place of the
 * first thing that is wrong; the draft is then for nothing.
 */
export function populateFromFile(path: string, members: Map<string, Span>, defaults: ImportDefaults): Populate {
  return async (draft, id) => {
    for (const name of members.keys())
      if (!isMemberName(name))
        throw badRequest(`${name}: is not known here; a world file has ${MEMBER_NAMES.join(', ')}`)
    const single = await readSingleMembers(path, members)
    writeFileSync(draft, '', { mode: 0o600 })
    migrate(draft)
    const { q, close } = openDraft(draft)
    try {
      const { seed, setting, now } = single
      const key = defaults.secret ? randomKey() : derived(`${FILE_SCENARIO} ${seed}`, `world ${id}`, 64)
      const origin = originAt(now)
      const switches = { ...defaults.switches, ...single.assumptions }
      const frozenAt = setting.mode === 'frozen' ? now : null
      await writeWorldRow(q, { id, scenario: FILE_SCENARIO, seed, now: frozenAt, made_at: now, origin, key, switches })
      await storeClock(q, setting)
      const context: ImportContext = {
        q,
        id,
        key,
        now,
        origin,
        counters: single.counters,
        networkPolicy: defaults.networkPolicy,
        people: createUserIndex(),
        items: new Map(),
        applications: [],
        has: (list) => members.has(list),
        each: (list, lay) => importEach(path, members.get(list), list, lay),
        rowsWritten: createRowYielder(),
        instantOf: (place, text) => (text === undefined ? now : parseInstantParameter(place, text)),
      }
      for (const section of SECTIONS) await section(context)
    } finally {
      close()
    }
  }
}

/** The same of a file of this machine; what is wrong is told with its path. */
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

const MEMBER_NAMES = [...Object.keys(SINGLE_MEMBERS), ...LIST_NAMES]
const isMemberName = (name: string): boolean => MEMBER_NAMES.includes(name)

interface SingleMembers {
  clock?: { mode: 'real' | 'shifted' | 'frozen'; now?: string }
  seed?: number
  assumptions?: Switches
  counters?: Record<string, number>
}

async function readSingleMembers(path: string, members: Map<string, Span>) {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(SINGLE_MEMBERS) as SingleMemberName[]) {
    const span = members.get(name)
    if (span) {
      values[name] = await readMember(path, name, span)
      validateSingle(name, values[name])
    }
  }
  if (values.version === undefined) throw badRequest('version: is required, must be 1')
  const { clock = { mode: 'real' }, seed = 1, assumptions = {}, counters = {} } = values as SingleMembers
  if (clock.mode === 'real' && clock.now !== undefined)
    throw badRequest('clock.now: real time cannot be set; use shifted or frozen')
  if (clock.mode === 'frozen' && clock.now === undefined)
    throw badRequest('clock.now: is required with frozen, must be an ISO 8601 date-time')
  const now = clock.now === undefined ? realNow() : parseInstantParameter('clock.now', clock.now)
  return { seed, assumptions, counters, now, setting: settingAt(clock.mode, now) }
}

async function importEach<N extends ListName>(
  path: string,
  span: Span | undefined,
  name: N,
  importElement: (element: Element<N>, place: string) => Promise<void>,
): Promise<void> {
  if (!span) return
  let n = 0
  const rowsWritten = createRowYielder()
  for await (const texts of readElements(path, name, span))
    for (const text of texts) {
      if (n === maxElements(name)) throw badRequest(`${name}: must have at most ${maxElements(name)} elements`)
      const place = `${name}[${n++}]`
      await importElement(parseElement(name, text, place), place)
      await rowsWritten(1)
    }
}

/** Lets others have their turn after every so many rows. */
function createRowYielder() {
  let rows = 0
  return async (more: number): Promise<void> => {
    rows += more
    if (rows < ROWS_PER_YIELD) return
    rows = 0
    await yieldToEventLoop()
  }
}
