import { writeFileSync } from 'node:fs'
import { realNow, settingAt } from '../../../db/clock.ts'
import { openDraft } from '../../../db/engine.sqlite.ts'
import { type Q, yieldToEventLoop } from '../../../db/engine.ts'
import { derived } from '../../../db/ids.ts'
import { migrate } from '../../../db/migrate.ts'
import type { Switches } from '../../../db/switches.ts'
import { writeWorldRow, storeClock } from '../../../db/world.ts'
import type { Populate } from '../../../db/worlds.ts'
import { badRequest } from '../../../plugins/errors.ts'
import { originAt, randomKey } from '../../../scenarios/index.ts'
import type { NetworkPolicy } from '../../notifications/targets.ts'
import { parseInstantParameter } from '../../shared/atoms.ts'
import { checkSingle, elementOf } from './checking.ts'
import { LAYERS } from './layers.ts'
import { found } from './passing.ts'
import { type People, people } from './people.ts'
import { elementsOf, readMember, type Span } from './scan.ts'
import { type Element, LIST_NAMES, type ListName, mostOf, SINGLE, type SingleName } from './schema.ts'

/** What a world gets that the file does not say. */
export interface Given {
  switches: Partial<Switches>
  /** Its tokens must not be guessable. */
  secret: boolean
  /** How far notifications may go. */
  reach: NetworkPolicy
}

/** A listing that has been laid out. */
export interface Listed {
  seller_id: number
  status: string
}

/** A world that is being laid out from a file. */
export interface Laying {
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
  reach: NetworkPolicy
  people: People
  items: Map<string, Listed>
  /** Ids of its applications, by their position in the file. */
  applications: number[]
  has(list: ListName): boolean
  /** Goes through a list; others get their turn meanwhile. */
  each<N extends ListName>(list: N, lay: (element: Element<N>, place: string) => Promise<void>): Promise<void>
  /** So many rows were written. */
  wrote(rows: number): Promise<void>
  /** Ms of an instant of the file, or now. */
  at(place: string, text: string | undefined): number
}

/** Rows that are written before others get their turn: a few milliseconds. */
const SLICE = 100

/** The scenario of a world that was made from a file. */
export const FILE = 'file'

/**
 * Lays out the world that a file describes; its members stand at `members`. Throws a 400 that names the place of the
 * first thing that is wrong; the draft is then for nothing.
 */
export function fromFile(path: string, members: Map<string, Span>, given: Given): Populate {
  return async (draft, id) => {
    for (const name of members.keys())
      if (!isKnown(name)) throw badRequest(`${name}: is not known here; a world file has ${NAMES.join(', ')}`)
    const single = await singles(path, members)
    writeFileSync(draft, '', { mode: 0o600 })
    migrate(draft)
    const { q, close } = openDraft(draft)
    try {
      const { seed, setting, now } = single
      const key = given.secret ? randomKey() : derived(`${FILE} ${seed}`, `world ${id}`, 64)
      const origin = originAt(now)
      const switches = { ...given.switches, ...single.assumptions }
      const frozenAt = setting.mode === 'frozen' ? now : null
      await writeWorldRow(q, { id, scenario: FILE, seed, now: frozenAt, made_at: now, origin, key, switches })
      await storeClock(q, setting)
      const laying: Laying = {
        q,
        id,
        key,
        now,
        origin,
        counters: single.counters,
        reach: given.reach,
        people: people(),
        items: new Map(),
        applications: [],
        has: (list) => members.has(list),
        each: (list, lay) => each(path, members.get(list), list, lay),
        wrote: turns(),
        at: (place, text) => (text === undefined ? now : parseInstantParameter(place, text)),
      }
      for (const layer of LAYERS) await layer(laying)
    } finally {
      close()
    }
  }
}

/** The same of a file of this machine; what is wrong is told with its path. */
export function fromPath(path: string, given: Given): Populate {
  return async (draft, id) => {
    try {
      const { members } = await found(path)
      await fromFile(path, members, given)(draft, id)
    } catch (error) {
      throw new Error(
        `${path}: ${(error as { code?: string }).code === 'ENOENT' ? 'there is no such file' : (error as Error).message}`,
      )
    }
  }
}

const NAMES = [...Object.keys(SINGLE), ...LIST_NAMES]
const isKnown = (name: string): boolean => NAMES.includes(name)

interface Singles {
  clock?: { mode: 'real' | 'shifted' | 'frozen'; now?: string }
  seed?: number
  assumptions?: Partial<Switches>
  counters?: Record<string, number>
}

async function singles(path: string, members: Map<string, Span>) {
  const values: Record<string, unknown> = {}
  for (const name of Object.keys(SINGLE) as SingleName[]) {
    const span = members.get(name)
    if (span) {
      values[name] = await readMember(path, name, span)
      checkSingle(name, values[name])
    }
  }
  if (values.version === undefined) throw badRequest('version: is required, must be 1')
  const { clock = { mode: 'real' }, seed = 1, assumptions = {}, counters = {} } = values as Singles
  if (clock.mode === 'real' && clock.now !== undefined)
    throw badRequest('clock.now: real time cannot be set; use shifted or frozen')
  if (clock.mode === 'frozen' && clock.now === undefined)
    throw badRequest('clock.now: is required with frozen, must be an ISO 8601 date-time')
  const now = clock.now === undefined ? realNow() : parseInstantParameter('clock.now', clock.now)
  return { seed, assumptions, counters, now, setting: settingAt(clock.mode, now) }
}

async function each<N extends ListName>(
  path: string,
  span: Span | undefined,
  name: N,
  lay: (element: Element<N>, place: string) => Promise<void>,
): Promise<void> {
  if (!span) return
  let n = 0
  const laid = turns()
  for await (const texts of elementsOf(path, name, span))
    for (const text of texts) {
      if (n === mostOf(name)) throw badRequest(`${name}: must have at most ${mostOf(name)} elements`)
      const place = `${name}[${n++}]`
      await lay(elementOf(name, text, place), place)
      await laid(1)
    }
}

/** Lets others have their turn after every so many rows. */
function turns() {
  let rows = 0
  return async (more: number): Promise<void> => {
    rows += more
    if (rows < SLICE) return
    rows = 0
    await yieldToEventLoop()
  }
}
