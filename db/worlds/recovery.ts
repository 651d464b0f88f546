import { closeSync, existsSync, openSync, readdirSync, readSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { migrate } from '../migrate.ts'
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

const HEADER_BYTES = 32
/** The bytes before the checksum. */
const CHECKED_BYTES = 24
/** Of headers whose checksum reads little-endian and big-endian words (SQLite's file format, section 4). */
const MAGIC = { little: 0x377f0682, big: 0x377f0683 }

/** Whether a log has frames that SQLite ignores, because the header is not that of a log. False when there is no such file. */
function isIgnoredLog(file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return size > HEADER_BYTES && !isHeader(readHeader(file))
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, header, 0, HEADER_BYTES, 0)
  } finally {
    closeSync(descriptor)
  }
  return header
}

function isHeader(header: Buffer): boolean {
  const magic = header.readUInt32BE(0)
  if (magic !== MAGIC.little && magic !== MAGIC.big) return false
  let [first, second] = [0, 0]
  for (let at = 0; at < CHECKED_BYTES; at += 8) {
    const word = (position: number) =>
      magic === MAGIC.little ? header.readUInt32LE(position) : header.readUInt32BE(position)
    first = (first + word(at) + second) >>> 0
    second = (second + word(at + 4) + first) >>> 0
  }
  return header.readUInt32BE(24) === first && header.readUInt32BE(28) === second
}
