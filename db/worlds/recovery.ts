import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../migrate.ts'
import { isIgnoredLog } from '../sqlite/log_header.ts'
import {
  describedSnapshot,
  isDatabase,
  isUnfinished,
  ownerOf,
  parseStateName,
  removeDatabase,
  type StateKey,
} from './files.ts'

/**
 * Finds the worlds of a folder, removes what interrupted changes left there, and migrates the rest. Calls `onNotice` with
 * what the operator should know. Throws NewerFile, BrokenFile.
 */
export function recoverWorlds(folder: string, onNotice: (text: string) => void = () => {}): StateKey[] {
  const latest = new Map<number, StateKey>()
  for (const name of readdirSync(folder)) {
    const state = parseStateName(name)
    if (!state) continue
    const known = latest.get(state.id)
    if (!known || known.revision < state.revision) latest.set(state.id, state)
  }
  for (const name of readdirSync(folder)) if (isLeftover(name, latest)) removeDatabase(join(folder, name))
  for (const name of readdirSync(folder)) {
    const snapshot = describedSnapshot(name)
    if (snapshot !== undefined && !existsSync(join(folder, snapshot))) rmSync(join(folder, name))
  }
  for (const name of readdirSync(folder).filter(isDatabase)) {
    const log = join(folder, `${name}-wal`)
    if (isIgnoredLog(log)) onNotice(`${log} is not a log of SQLite and is ignored: writes that only it had are missing`)
    migrate(join(folder, name))
  }
  return [...latest.values()]
}

/** A state that was replaced, a file of a world without a state, or one that was not finished. */
function isLeftover(name: string, latest: Map<number, StateKey>): boolean {
  const state = parseStateName(name)
  const owner = ownerOf(name)
  const isReplaced = state !== undefined && latest.get(state.id)!.revision !== state.revision
  const isOrphan = owner !== undefined && !latest.has(owner)
  return isReplaced || isOrphan || isUnfinished(name)
}
