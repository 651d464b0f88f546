import { constants, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { realNow } from '../db/clock.ts'
import { openDraft } from '../db/sqlite/draft.ts'
import { clearTimeout, setTimeout } from '../db/timers.ts'
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

interface Copy {
  path: string
  instant: number
}

/** Copies of a scenario that are ready to be used. */
interface Stock {
  spec: TemplateSpec
  copies: Copy[]
}

/** Maximum number of weeks: tests freeze their worlds in a few different ones. */
const MAX_WEEKS = 8
/** Scenarios of which copies are prepared, and how many of each. */
const MAX_STOCKED = 2
const COPIES_PER_TEMPLATE = 2
/** Maximum age of a prepared copy whose history ends "now". */
const MAX_COPY_AGE_MS = 60_000
/** Ms without a new world before copies are prepared, so that a burst is not slowed down. */
const REFILL_DELAY_MS = 30

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
  const stock = new LRUCache<string, Stock>({
    max: MAX_STOCKED,
    dispose({ copies }) {
      for (const { path } of copies) rmSync(path, { force: true })
    },
  })
  let copyCount = 0
  let refill: NodeJS.Timeout | undefined

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

  function stockOf(spec: TemplateSpec): Stock {
    const name = JSON.stringify([spec.scenario, spec.seed, spec.instant ?? null])
    const stocked = stock.get(name) ?? { spec, copies: [] }
    stock.set(name, stocked)
    return stocked
  }

  async function fill(): Promise<void> {
    for (const { spec, copies } of stock.values())
      while (copies.length < COPIES_PER_TEMPLATE) {
        const path = join(folder, `${PREFIX}copy-${++copyCount}`)
        const instant = await write(spec, path)
        const draft = openDraft(path)
        trimHistory(draft, instant)
        draft.close()
        copies.push({ path, instant })
      }
  }

  return {
    async copy(spec, file) {
      const { copies } = stockOf(spec)
      clearTimeout(refill)
      // A failure is reported to the caller who then needs the copy.
      refill = setTimeout(() => fill().catch(() => {}), REFILL_DELAY_MS).unref()
      for (let copy = copies.shift(); copy; copy = copies.shift()) {
        if (spec.instant !== undefined || realNow() - copy.instant < MAX_COPY_AGE_MS) {
          renameSync(copy.path, file)
          return { instant: copy.instant, isTrimmed: true }
        }
        rmSync(copy.path, { force: true })
      }
      return { instant: await write(spec, file), isTrimmed: false }
    },
    close() {
      clearTimeout(refill)
      sweep()
    },
  }
}
