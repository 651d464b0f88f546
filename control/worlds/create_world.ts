import { derived } from '../../db/ids.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import { readWorldRow, renumberWorld, type Switches, storeClock, storeSwitches, type World } from '../../db/world.ts'
import type { Populate, WorldOrigin, Worlds } from '../../db/worlds.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { TABLES } from '../../domains/index.ts'
import { type Credentials, readCredentials } from '../../domains/oauth/operations.ts'
import { reissueCredentials } from '../../domains/oauth/reissue_operations.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { populate, randomKey, type Start } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/names.ts'
import type { Templates } from '../../scenarios/templates.ts'

/** Defaults of new worlds. */
export interface WorldDefaults {
  switches: Switches
  /** Tokens must not be guessable. */
  secret: boolean
}

/** A new world: its number and credentials. */
export interface CreatedWorld {
  id: number
  credentials: Credentials
}

/** Creates a world from a scenario. The first call opens it. */
export async function createWorld(
  worlds: Worlds,
  templates: Templates,
  start: Start,
  origin: WorldOrigin,
): Promise<CreatedWorld> {
  let credentials: Credentials
  const id = await worlds.create(
    async (file, id) => {
      credentials = await populate(file, id, start, { templates })
    },
    { origin },
  )
  return { id, credentials: credentials! }
}

/** Populates a world as it was created, with the same credentials. */
export function populateAsCreated(world: World, templates: Templates): Populate {
  const { scenario, seed, frozenAt: now, key, createdAt, initialSwitches: switches } = world
  const start: Start = { scenario: scenario as Scenario, seed, now, secret: false, switches }
  return (file, id) => populate(file, id, start, { templates, creation: { key, createdAt } })
}

/** Differences of a new world from its source. */
interface WorldOverrides {
  /** Ms to freeze the clock at; null: the clock of the source. */
  now: number | null
  /** Override those of the source. */
  switches: Switches
}

/** Creates a world as a copy of another, with its own application and tokens. */
export async function forkWorld(
  worlds: Worlds,
  sourceId: number,
  { secret }: WorldDefaults,
  { origin, ...overrides }: WorldOverrides & { origin: WorldOrigin },
): Promise<CreatedWorld> {
  let credentials: Credentials
  const id = await worlds.create(
    async (file, id) => {
      await worlds.copy(sourceId, file)
      credentials = await assignIdentity(file, id, secret, overrides)
    },
    { start: true, origin },
  )
  return { id, credentials: credentials! }
}

/** Gives a copied world its own number, and credentials with this number. */
async function assignIdentity(
  file: string,
  id: number,
  secret: boolean,
  { now, switches }: WorldOverrides,
): Promise<Credentials> {
  const draft = openDraft(file)
  try {
    const { q } = draft
    const source = await readWorldRow(q)
    const identity = { id, key: secret ? randomKey() : derived(source.key, `world ${id}`, 64) }
    await reissueCredentials(q, source.id, identity)
    for (const { name, isClearedInCopies } of TABLES) if (isClearedInCopies) draft.run(`DELETE FROM "${name}"`)
    await renumberWorld(q, identity)
    await storeSwitches(q, nonDefaultSwitches(SWITCHES, { ...JSON.parse(source.switches), ...switches }))
    if (now !== null) await storeClock(q, { mode: 'frozen', ms: now })
    return await readCredentials(q)
  } finally {
    draft.close()
  }
}
