import { constants, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realNow } from '../db/clock.ts'
import { type HistorySpec, originAt, trimFile, writeWeek } from './index.ts'

/** Pasts kept as files, so that a new world is little more than a copy of one. */
export interface Templates {
  /**
   * Puts a past at `file`; without an instant it ends about now. Answers its instant, and whether what comes later is
   * out of it.
   */
  copy(spec: TemplateSpec, file: string): Promise<{ instant: number; ended: boolean }>
  close(): void
}

type TemplateSpec = Pick<HistorySpec, 'scenario' | 'seed'> & { instant?: number | undefined }

/** Weeks that are kept; tests freeze their worlds at a few. */
const MAX_WEEKS = 8
/** Pasts that are asked for again and again, and how many copies of each wait. */
const MAX_STOCKED = 2
const COPIES_PER_TEMPLATE = 2
/** Ms: a copy that waits for "now" may be so old. */
const MAX_COPY_AGE_MS = 60_000
/** Ms without anybody asking after which copies are made: not in the middle of a burst. */
const REFILL_DELAY_MS = 30

const PREFIX = 'template-'

/** Keeps templates in a folder, which nobody else does. */
export function openTemplates(folder: string): Templates {
  const sweep = () => {
    for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) rmSync(join(folder, name), { force: true })
  }
  sweep()
  const weeks = new Map<string, Promise<string>>()
  const stock = new Map<string, { asked: TemplateSpec; copies: { path: string; instant: number }[] }>()
  let copyCount = 0
  let refill: NodeJS.Timeout | undefined

  async function week(past: HistorySpec): Promise<string> {
    const name = `${PREFIX}${past.scenario}-${past.seed}-${originAt(past.instant)}`
    const path = join(folder, name)
    const pending = weeks.get(name) ?? writeWeek(path, past).then(() => path)
    weeks.delete(name)
    weeks.set(name, pending)
    pending.catch(() => weeks.delete(name))
    if (weeks.size > MAX_WEEKS) {
      const [oldest, oldestPath] = weeks.entries().next().value!
      weeks.delete(oldest)
      rmSync(await oldestPath, { force: true })
    }
    return pending
  }

  async function write(spec: TemplateSpec, file: string): Promise<number> {
    const past = { ...spec, instant: spec.instant ?? realNow() }
    await copyFile(await week(past), file, constants.COPYFILE_FICLONE)
    return past.instant
  }

  const isFresh = ({ asked, instant }: { asked: TemplateSpec; instant: number }) =>
    asked.instant !== undefined || realNow() - instant < MAX_COPY_AGE_MS

  async function fill(): Promise<void> {
    for (const { asked, copies: ready } of stock.values())
      while (ready.length < COPIES_PER_TEMPLATE) {
        const path = join(folder, `${PREFIX}copy-${++copyCount}`)
        const instant = await write(asked, path)
        trimFile(path, instant)
        ready.push({ path, instant })
      }
  }

  return {
    async copy(asked, file) {
      const name = JSON.stringify([asked.scenario, asked.seed, asked.instant ?? null])
      const stocked = stock.get(name) ?? { asked, copies: [] }
      stock.delete(name)
      stock.set(name, stocked)
      if (stock.size > MAX_STOCKED) {
        const [oldest, { copies }] = stock.entries().next().value!
        stock.delete(oldest)
        for (const { path } of copies) rmSync(path, { force: true })
      }
      clearTimeout(refill)
      // What cannot be prepared will be told to who asks for it.
      refill = setTimeout(() => fill().catch(() => {}), REFILL_DELAY_MS).unref()
      for (let copy = stocked.copies.shift(); copy; copy = stocked.copies.shift()) {
        if (isFresh({ asked, ...copy })) {
          renameSync(copy.path, file)
          return { instant: copy.instant, ended: true }
        }
        rmSync(copy.path, { force: true })
      }
      return { instant: await write(asked, file), ended: false }
    },
    close() {
      clearTimeout(refill)
      sweep()
    },
  }
}
