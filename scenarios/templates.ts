import { constants, readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { realNow } from '../db/clock.ts'
import { renameAtomically } from '../db/folders.ts'
import { openDraft } from '../db/sqlite/draft.ts'
import { type HistorySpec, originAt, trimHistory, writeWeek } from './history.ts'

/** Scenarios stored as files, so that creating a world is mostly a copy. */
export interface Templates {
  /**
   * Writes a scenario to `file`, without what happens after the instant; without one its history ends about now.
   * Resolves with the instant.
   */
  copy(spec: TemplateSpec, file: string): Promise<number>
  close(): void
}

type TemplateSpec = Pick<HistorySpec, 'scenario' | 'seed'> & { instant?: number | undefined }

/** A file whose history ends at an instant, with nothing after it. */
interface Trimmed {
  path: string
  instant: number
}

/** Maximum number of weeks: tests freeze their worlds in a few different ones. */
const MAX_WEEKS = 8
/** Maximum number of trimmed files, each of another scenario, seed or instant. */
const MAX_TRIMMED = 4
/** Maximum age of a trimmed file whose history ends "now". */
const MAX_AGE_MS = 60_000

const PREFIX = 'template-'

/** Keeps templates in a folder, which must have no other user. */
export function openTemplates(folder: string): Templates {
  const sweep = () => {
    for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) rmSync(join(folder, name), { force: true })
  }
  sweep()
  const weeks = new LRUCache<string, Promise<string>>({
    max: MAX_WEEKS,
    // If the week could not be written, there is no file.
    dispose: (week) => void week.then((path) => rmSync(path, { force: true })).catch(() => {}),
  })
  /** Resolves with the path of a file that has the whole week of an instant. */
  function week(history: HistorySpec): Promise<string> {
    const name = `${PREFIX}${history.scenario}-${history.seed}-${originAt(history.instant)}`
    const cached = weeks.get(name)
    if (cached) return cached
    const path = join(folder, name)
    const pending = writeWeek(path, history).then(() => path)
    weeks.set(name, pending)
    pending.catch(() => weeks.delete(name))
    return pending
  }

  const trimmed = new LRUCache<string, Promise<Trimmed>>({
    max: MAX_TRIMMED,
    dispose: (file) => void file.then(({ path }) => rmSync(path, { force: true })).catch(() => {}),
  })
  let fileCount = 0

  /** Writes a scenario to `file`, and a copy of it for the next ones. */
  async function write(spec: TemplateSpec, file: string): Promise<Trimmed> {
    const history = { ...spec, instant: spec.instant ?? realNow() }
    await copyFile(await week(history), file, constants.COPYFILE_FICLONE)
    const draft = openDraft(file)
    try {
      trimHistory(draft, history.instant)
    } finally {
      draft.close()
    }
    const path = join(folder, `${PREFIX}trimmed-${++fileCount}`)
    const unfinished = `${path}.new`
    try {
      await copyFile(file, unfinished, constants.COPYFILE_FICLONE)
      renameAtomically(unfinished, path, folder, false)
    } catch (error) {
      rmSync(unfinished, { force: true })
      throw error
    }
    return { path, instant: history.instant }
  }

  async function copy(spec: TemplateSpec, file: string): Promise<number> {
    const name = JSON.stringify([spec.scenario, spec.seed, spec.instant ?? null])
    const known = trimmed.get(name)
    if (known) {
      const instant = await copyOf(await known, spec, file)
      if (instant !== undefined) return instant
      // Another call may have begun meanwhile.
      if (trimmed.peek(name) !== known) return copy(spec, file)
    }
    const pending = write(spec, file)
    trimmed.set(name, pending)
    pending.catch(() => trimmed.delete(name))
    return (await pending).instant
  }

  return { copy, close: sweep }
}

/** Copies a trimmed file, and resolves with its instant; undefined if it is too old, or has been removed meanwhile. */
async function copyOf({ path, instant }: Trimmed, spec: TemplateSpec, file: string): Promise<number | undefined> {
  if (spec.instant === undefined && realNow() - instant >= MAX_AGE_MS) return undefined
  try {
    await copyFile(path, file, constants.COPYFILE_FICLONE)
    return instant
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}
