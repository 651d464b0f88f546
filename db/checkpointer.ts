import type { Worker } from 'node:worker_threads'
import { threadOf } from './assets.ts'
import { markSqlite } from './one_sqlite.ts'

/** There is no thread, nor will there be one. */
export class NoThread extends Error {}

/** Moves logs into their files beside the loop: pages to random places, and the waiting for both on the disk. */
export interface Checkpointer {
  /**
   * Moves what is in a file's log, as far as nobody reads an older state; what is committed meanwhile may stay. Rejects
   * when it cannot, nothing lost: with NoThread where trying again is of no use.
   */
  move(file: string): Promise<void>
  /** Runs `then` when nothing is done with a file any more; at once where that is so. */
  after(file: string, then: () => void): void
  close(): void
}

interface Move {
  file: string
  ok: () => void
  no: (error: Error) => void
}

/** MB; all it holds is a connection. */
const SMALL = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

/** The thread is made when it is first needed, and keeps no process from ending unless it is at work. */
export function openCheckpointer(): Checkpointer {
  let thread: Worker | undefined
  /** The first is under way. */
  const moves: Move[] = []

  function started(): Worker {
    // Our own flags are not for it.
    const made = threadOf('checkpointer.cjs', { resourceLimits: SMALL, execArgv: [], workerData: markSqlite() })
    made.on('message', (failure: string | undefined) => {
      if (thread !== made) return
      const { ok, no } = moves.shift()!
      if (moves.length > 0) made.postMessage(moves[0]!.file)
      else made.unref()
      if (failure === undefined) ok()
      else no(new Error(failure))
    })
    made.on('error', (error) => {
      if (thread === made) fail(new NoThread(error.message, { cause: error }))
    })
    made.on('exit', () => {
      if (thread === made) fail(new NoThread('the thread has ended'))
    })
    return made
  }

  function fail(error: NoThread): void {
    thread = undefined
    for (const { no } of moves.splice(0)) no(error)
  }

  return {
    move: (file) =>
      new Promise((ok, no) => {
        moves.push({ file, ok, no })
        if (moves.length > 1) return
        try {
          thread ??= started()
          thread.ref()
          thread.postMessage(file)
        } catch (error) {
          fail(new NoThread((error as Error).message, { cause: error }))
        }
      }),
    after(file, then) {
      const last = moves.findLast((move) => move.file === file)
      if (!last) return then()
      const { ok, no } = last
      last.ok = () => {
        ok()
        then()
      }
      last.no = (error) => {
        no(error)
        then()
      }
    },
    close() {
      const ended = thread
      fail(new NoThread('the server has ended'))
      void ended?.terminate()
    },
  }
}
