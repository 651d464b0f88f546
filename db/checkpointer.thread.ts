import { parentPort } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'

// What runs in the thread of db/checkpointer.ts; the build makes an asset of it.

parentPort!.on('message', (file: string) => {
  let failure: string | undefined
  try {
    // Opened for each: whoever closes the world need not wait for it.
    const connection = new Sqlite(file, { fileMustExist: true })
    try {
      connection.pragma('synchronous = NORMAL')
      connection.pragma('wal_checkpoint(PASSIVE)')
    } finally {
      connection.close()
    }
  } catch (error) {
    failure = (error as Error).message
  }
  parentPort!.postMessage(failure)
})
