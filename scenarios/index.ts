import { randomBytes } from 'node:crypto'
import { realNow } from '../db/clock.ts'
import { derived } from '../db/ids.ts'
import { openDraft } from '../db/sqlite/draft.ts'
import { type Switches, writeWorldRow } from '../db/world.ts'
import { issueCredentials } from '../domains/oauth/application_operations.ts'
import { type Credentials, readCredentials } from '../domains/oauth/operations.ts'
import { originAt, trimHistory, writeWeek } from './history.ts'
import { MONDAY, type Scenario } from './names.ts'
import type { Templates } from './templates.ts'

export interface Start {
  scenario: Scenario
  /** 0 to 2^53 − 1. */
  seed: number
  /** World time to freeze at, ms; null = real time. */
  now: number | null
  /** Whether tokens must not be guessable: the world is kept, or the server is exposed. */
  secret: boolean
  switches?: Switches
}

/** The random and time-dependent values of a world's creation; with them the world can be created again. */
interface CreationRecord {
  key: string
  /** Ms. */
  createdAt: number
}

/**
 * Writes a new world to `file`: the scenario's file, moved by whole weeks so that its history ends in the week of
 * `now`, without what happens after `now`, and with an application and tokens of its own, which are returned.
 * `templates` saves most of the work.
 */
export async function populate(
  file: string,
  id: number,
  { scenario, seed, now, secret, switches = {} }: Start,
  { templates, creation }: { templates?: Templates; creation?: CreationRecord } = {},
): Promise<Credentials> {
  const requested = creation?.createdAt ?? now ?? undefined
  const instant = templates
    ? await templates.copy({ scenario, seed, instant: requested }, file)
    : await writeWeek(file, { scenario, seed, instant: requested ?? realNow() })
  const key = creation?.key ?? (secret ? randomKey() : seededKey(scenario, seed, id))
  const draft = openDraft(file)
  try {
    if (!templates) trimHistory(draft, instant)
    await writeWorldRow(draft.q, {
      id,
      scenario,
      seed,
      now,
      made_at: instant,
      origin: originAt(instant),
      key,
      switches,
    })
    await issueCredentials(draft.q, { id, key }, MONDAY)
    return await readCredentials(draft.q)
  } finally {
    draft.close()
  }
}

/** The key of a new world whose tokens may be guessed. */
export const seededKey = (scenario: string, seed: number, id: number): string =>
  derived(`${scenario} ${seed}`, `world ${id}`, 64)

/** A random key: values derived from it cannot be guessed. */
export const randomKey = (): string => randomBytes(32).toString('hex')
