import type { Worker } from 'node:worker_threads'
import { createWorker } from '../assets.ts'
import { markLibrary } from './same_library.ts'

/** There is no thread, nor will there be one. */
export class WorkerUnavailable extends Error {}

/** Moves logs into their files beside the loop: pages to random places, and the waiting for both on the disk. */
export interface Checkpointer {
  /**
   * Moves what is in a file's log, as far as nobody reads an older state; what is committed meanwhile may stay. Rejects
   * when it cannot, nothing lost: with NoThread where trying again is of no use.
   */
  checkpoint(file: string): Promise<void>
  /** Runs `then` when nothing is done with a file any more; at once where that is so. */
  whenIdle(file: string, callback: () => void): void
  close(): void
}

interface CheckpointJob {
  file: string
  resolve: () => void
  reject: (error: Error) => void
}

/** MB; all it holds is a connection. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

/** The thread is made when it is first needed, and keeps no process from ending unless it is at work. */
export function openCheckpointer(): Checkpointer {
  let worker: Worker | undefined
  /** The first is under way. */
  const queue: CheckpointJob[] = []

  function startWorker(): Worker {
    // Our own flags are not for it.
    const created = createWorker('checkpointer.cjs', {
      resourceLimits: WORKER_LIMITS,
      execArgv: [],
      workerData: markLibrary(),
    })
    created.on('message', (failure: string | undefined) => {
      if (worker !== created) return
      const { resolve, reject } = queue.shift()!
      if (queue.length > 0) created.postMessage(queue[0]!.file)
      else created.unref()
      if (failure === undefined) resolve()
      else reject(new Error(failure))
    })
    created.on('error', (error) => {
      if (worker === created) rejectAll(new WorkerUnavailable(error.message, { cause: error }))
    })
    created.on('exit', () => {
      if (worker === created) rejectAll(new WorkerUnavailable('the thread has ended'))
    })
    return created
  }

  function rejectAll(error: WorkerUnavailable): void {
    worker = undefined
    for (const { reject } of queue.splice(0)) reject(error)
  }

  return {
    checkpoint: (file) =>
      new Promise((resolve, reject) => {
        queue.push({ file, resolve, reject })
        if (queue.length > 1) return
        try {
          worker ??= startWorker()
          worker.ref()
          worker.postMessage(file)
        } catch (error) {
          rejectAll(new WorkerUnavailable((error as Error).message, { cause: error }))
        }
      }),
    whenIdle(file, callback) {
      const last = queue.findLast((job) => job.file === file)
      if (!last) return callback()
      const { resolve, reject } = last
      last.resolve = () => {
        resolve()
        callback()
      }
      last.reject = (error) => {
        reject(error)
        callback()
      }
    },
    close() {
      const closing = worker
      rejectAll(new WorkerUnavailable('the server has ended'))
      void closing?.terminate()
    },
  }
}
