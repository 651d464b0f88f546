import { constants, readdirSync, renameSync, rmSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { realNow } from '../db/clock.ts'
import { endPast, originAt, type Past, writeWeek } from './index.ts'

/** Pasts kept as files, so that a new world is little more than a copy of one. */
export interface Templates {
  /**
   * Puts a past at `file`; without an instant it ends about now. Answers its instant, and whether what comes later is
   * out of it.
   */
  copy(asked: Asked, file: string): Promise<{ instant: number; ended: boolean }>
  close(): void
}

type Asked = Pick<Past, 'scenario' | 'seed'> & { instant?: number | undefined }

/** Weeks that are kept; tests freeze their worlds at a few. */
const MOST_WEEKS = 8
/** Pasts that are asked for again and again, and how many copies of each wait. */
const MOST_STOCKED = 2
const WAITING = 2
/** Ms: a copy that waits for "now" may be so old. */
const STALE = 60_000
/** Ms without anybody asking after which copies are made: not in the middle of a burst. */
const QUIET = 30

const PREFIX = 'template-'

/** Keeps templates in a folder, which nobody else does. */
export function templatesIn(folder: string): Templates {
  const sweep = () => {
    for (const name of readdirSync(folder)) if (name.startsWith(PREFIX)) rmSync(join(folder, name), { force: true })
  }
  sweep()
  const weeks = new Map<string, Promise<string>>()
  const stock = new Map<string, { asked: Asked; copies: { path: string; instant: number }[] }>()
  let copies = 0
  let refill: NodeJS.Timeout | undefined

  async function week(past: Past): Promise<string> {
    const name = `${PREFIX}${past.scenario}-${past.seed}-${originAt(past.instant)}`
    const path = join(folder, name)
    const made = weeks.get(name) ?? writeWeek(path, past).then(() => path)
    weeks.delete(name)
    weeks.set(name, made)
    made.catch(() => weeks.delete(name))
    if (weeks.size > MOST_WEEKS) {
      const [oldest, gone] = weeks.entries().next().value!
      weeks.delete(oldest)
      rmSync(await gone, { force: true })
    }
    return made
  }

  async function write(asked: Asked, file: string): Promise<number> {
    const past = { ...asked, instant: asked.instant ?? realNow() }
    await copyFile(await week(past), file, constants.COPYFILE_FICLONE)
    return past.instant
  }

  const isFresh = ({ asked, instant }: { asked: Asked; instant: number }) =>
    asked.instant !== undefined || realNow() - instant < STALE

  async function fill(): Promise<void> {
    for (const { asked, copies: waiting } of stock.values())
      while (waiting.length < WAITING) {
        const path = join(folder, `${PREFIX}copy-${++copies}`)
        const instant = await write(asked, path)
        endPast(path, instant)
        waiting.push({ path, instant })
      }
  }

  return {
    async copy(asked, file) {
      const name = JSON.stringify([asked.scenario, asked.seed, asked.instant ?? null])
      const kept = stock.get(name) ?? { asked, copies: [] }
      stock.delete(name)
      stock.set(name, kept)
      if (stock.size > MOST_STOCKED) {
        const [oldest, { copies }] = stock.entries().next().value!
        stock.delete(oldest)
        for (const { path } of copies) rmSync(path, { force: true })
      }
      clearTimeout(refill)
      // What cannot be prepared will be told to who asks for it.
      refill = setTimeout(() => fill().catch(() => {}), QUIET).unref()
      for (let copy = kept.copies.shift(); copy; copy = kept.copies.shift()) {
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
