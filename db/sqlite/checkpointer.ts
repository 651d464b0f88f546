import type { Worker } from 'node:worker_threads'
import { createWorker } from '../assets.ts'
import { markLibrary } from './library.ts'

/** The checkpointer thread has ended or cannot start. */
export class WorkerUnavailable extends Error {}

/** Makes checkpoints in a thread: they write pages in random places and wait for the disk. */
export interface Checkpointer {
  /**
   * Copies the log of a database file to it, as far as readers allow. Rejects without loss; with WorkerUnavailable if
   * later calls would fail too.
   */
  checkpoint(file: string): Promise<void>
  /** Calls back when no checkpoint of a file is pending, at once if none is. */
  whenIdle(file: string, callback: () => void): void
  close(): void
}

interface CheckpointJob {
  file: string
  resolve: () => void
  reject: (error: Error) => void
}

/** The thread needs memory for one connection. */
const WORKER_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 }

/** Starts the thread on first use. It keeps the process alive only during a checkpoint. */
export function openCheckpointer(): Checkpointer {
  let worker: Worker | undefined
  /** The first one is in flight. */
  const queue: CheckpointJob[] = []

  function startWorker(): Worker {
    const created = createWorker('checkpointer.cjs', {
      resourceLimits: WORKER_LIMITS,
      // Not those of this process.
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
      rejectAll(new WorkerUnavailable('the server has been closed'))
      void closing?.terminate()
    },
  }
}
