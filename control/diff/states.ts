import { rmSync } from 'node:fs'
import { timeIn } from '../../db/clock.ts'
import type { Q } from '../../db/engine.ts'
import { migrate } from '../../db/migrate.ts'
import { KeyedMutex } from '../../db/semaphore.ts'
import { openTempFile } from '../../db/sqlite/draft.ts'
import { readWorldRow, type World } from '../../db/world.ts'
import type { Worlds } from '../../db/worlds.ts'
import { badRequest, notFound } from '../../http/errors/control_errors.ts'
import type { Templates } from '../../scenarios/templates.ts'
import { populateAsCreated } from '../worlds/create_world.ts'

/** Copies of states can be opened with these. */
export interface StateSources {
  worlds: Worlds
  templates: Templates
}

/** A copy of a state, to read from; `discard` it after use. */
export interface OpenState {
  /** As it was requested. */
  name: string
  q: Q
  /** World time, ms. */
  now: number
  /** Ms; times in the contact tables count from here. */
  origin: number
  switches: World['switches']
  discard(): void
}

/** Comparisons at the same time, in all worlds: each has two copies of states on the disk. */
const MAX_COMPARISONS = 2

/** Runs a function with copies of two states, one call after the other for each world. */
export function createComparisons(sources: StateSources) {
  const mutex = new KeyedMutex<World>(MAX_COMPARISONS)
  return <T>(
    world: World,
    names: { from: string; to: string },
    compare: (from: OpenState, to: OpenState) => Promise<T>,
  ): Promise<T> =>
    mutex.run(world, async () => {
      const from = await openState('from', names.from, world, sources)
      try {
        const to = await openState('to', names.to, world, sources)
        try {
          return await compare(from, to)
        } finally {
          to.discard()
        }
      } finally {
        from.discard()
      }
    })
}

type CopyState = (file: string) => Promise<unknown>

const NAMED_STATE = /^(?:(snapshot|world):)?(.+)$/s

/**
 * Copies the state that a parameter names: `now`, `start` (what reset restores), `snapshot:NAME` or `NAME`, `world:ID`.
 * Throws 404, or 400 naming the parameter.
 */
async function openState(
  parameter: string,
  text: string,
  world: World,
  { worlds, templates }: StateSources,
): Promise<OpenState> {
  const copy = findState(parameter, text, world, { worlds, templates })
  const file = worlds.tempFilePath()
  try {
    await copy(file)
    // A snapshot may have been stored by an older version.
    migrate(file)
    const { q, discard } = openTempFile(file)
    const { clock_mode: mode, clock_ms: ms, origin, switches } = await readWorldRow(q)
    return { name: text, q, now: timeIn({ mode, ms }), origin, switches: JSON.parse(switches), discard }
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  }
}

function findState(parameter: string, text: string, world: World, { worlds, templates }: StateSources): CopyState {
  const { id } = world
  if (text === 'now') return (file) => worlds.copy(id, file)
  if (text === 'start') return (file) => worlds.copyStart(id, populateAsCreated(world, templates), file)
  const [, kind = 'snapshot', name] = NAMED_STATE.exec(text) ?? []
  if (name === undefined) throw badRequest(`${parameter}: must be now, start, snapshot:NAME or world:ID`)
  const found = <T>(isFound: T): void => {
    if (!isFound) throw notFound(`${parameter}: ${kind} ${name} not found`)
  }
  if (kind === 'snapshot') return async (file) => found(await worlds.copySnapshot(id, name, file))
  return async (file) => {
    const other = worlds.ids().find((one) => String(one) === name)
    found(other)
    await worlds.copy(other!, file)
  }
}
