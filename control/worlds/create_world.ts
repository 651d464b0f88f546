import { derived } from '../../db/ids.ts'
import { openDraft } from '../../db/sqlite/draft.ts'
import { readWorldRow, renumberWorld, type Switches, storeClock, storeSwitches, type World } from '../../db/world.ts'
import type { Populate, Worlds } from '../../db/worlds.ts'
import { SWITCHES } from '../../domains/assumptions.ts'
import { TABLES } from '../../domains/index.ts'
import { type Credentials, readCredentials } from '../../domains/oauth/credentials.ts'
import { reissueCredentials } from '../../domains/oauth/reissue_operations.ts'
import { nonDefaultSwitches } from '../../http/switches.ts'
import { populate, randomKey, type Start } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/names.ts'
import type { Templates } from '../../scenarios/templates.ts'

/** What worlds of this server have where nobody asks for something else. */
export interface WorldDefaults {
  switches: Switches
  /** Tokens must not be guessable. */
  secret: boolean
}

/** A new world: its number, and with what a program enters it. */
export interface CreatedWorld {
  id: number
  credentials: Credentials
}

/** A new world of a scenario. It is opened by who calls it first. */
export async function createWorld(worlds: Worlds, templates: Templates, start: Start): Promise<CreatedWorld> {
  let credentials: Credentials
  const id = await worlds.create(async (file, id) => {
    credentials = await populate(file, id, start, { templates })
  })
  return { id, credentials: credentials! }
}

/** How a world of a scenario is laid out as it was at its beginning, with the credentials that it had. */
export function populateAsCreated(world: World, templates: Templates): Populate {
  const { scenario, seed, frozenAt: now, key, createdAt: madeAt, initialSwitches: switches } = world
  const start: Start = { scenario: scenario as Scenario, seed, now, secret: false, switches }
  return (file, id) => populate(file, id, start, { templates, creation: { key, createdAt: madeAt } })
}

/** In what a new world differs from the one that it begins as. */
export interface WorldOverrides {
  /** Ms to freeze its clock at; null leaves it as the other's. */
  now: number | null
  /** Over those of the other. */
  switches: Switches
}

/** A new world that begins as another stands now; its application and tokens are its own. */
export async function forkWorld(
  worlds: Worlds,
  sourceId: number,
  { secret }: WorldDefaults,
  overrides: WorldOverrides,
): Promise<CreatedWorld> {
  let credentials: Credentials
  const id = await worlds.create(
    async (file, id) => {
      await worlds.copy(sourceId, file)
      credentials = await assignIdentity(file, id, secret, overrides)
    },
    { start: true },
  )
  return { id, credentials: credentials! }
}

/** Makes a copied world one of its own: its number, and the credentials that bear it. */
export async function assignIdentity(
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
