import { constants, readdirSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { realNow } from '../db/clock.ts'
import { openDraft } from '../db/sqlite/draft.ts'
import { type HistorySpec, originAt, trimHistory, writeWeek } from './history.ts'

/** Scenarios stored as files, so that creating a world is mostly a copy. */
export interface Templates {
  /**
   * Writes a scenario to `file`; without an instant its history ends about now. Returns the instant, and whether what
   * happens after it has been removed.
   */
  copy(spec: TemplateSpec, file: string): Promise<{ instant: number; isTrimmed: boolean }>
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

  async function write(spec: TemplateSpec, file: string): Promise<number> {
    const history = { ...spec, instant: spec.instant ?? realNow() }
    await copyFile(await week(history), file, constants.COPYFILE_FICLONE)
    return history.instant
  }

  const trimmedOf = openTrimmed(folder, write)
  return {
    async copy(spec, file) {
      const source = await trimmedOf(spec)
      try {
        if (!source) return { instant: await write(spec, file), isTrimmed: false }
        await copyFile(source.path, file, constants.COPYFILE_FICLONE)
        return { instant: source.instant, isTrimmed: true }
      } catch (error) {
        // Another scenario or a newer file has taken its place meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
        return { instant: await write(spec, file), isTrimmed: false }
      }
    },
    close: sweep,
  }
}

/** Returns a function that finds or writes the trimmed file of a scenario; undefined the first time. */
function openTrimmed(
  folder: string,
  write: (spec: TemplateSpec, file: string) => Promise<number>,
): (spec: TemplateSpec) => Promise<Trimmed | undefined> {
  // Removing what follows takes several times as long as a copy. A server's only world needs no such file.
  const trimmed = new LRUCache<string, Promise<Trimmed> | 'used once'>({
    max: MAX_TRIMMED,
    dispose: (file) => {
      if (file !== 'used once') file.then(({ path }) => rmSync(path, { force: true })).catch(() => {})
    },
  })
  let fileCount = 0

  async function writeTrimmed(spec: TemplateSpec): Promise<Trimmed> {
    const path = join(folder, `${PREFIX}trimmed-${++fileCount}`)
    try {
      const instant = await write(spec, path)
      const draft = openDraft(path)
      trimHistory(draft, instant)
      draft.close()
      return { path, instant }
    } catch (error) {
      rmSync(path, { force: true })
      throw error
    }
  }

  async function trimmedOf(spec: TemplateSpec): Promise<Trimmed | undefined> {
    const name = JSON.stringify([spec.scenario, spec.seed, spec.instant ?? null])
    const known = trimmed.get(name)
    if (!known) return void trimmed.set(name, 'used once')
    const file = known === 'used once' ? undefined : await known
    if (file && (spec.instant !== undefined || realNow() - file.instant < MAX_AGE_MS)) return file
    // Another call may have begun meanwhile.
    if (trimmed.peek(name) !== known) return trimmedOf(spec)
    const pending = writeTrimmed(spec)
    trimmed.set(name, pending)
    pending.catch(() => trimmed.delete(name))
    return pending
  }
  return trimmedOf
}
