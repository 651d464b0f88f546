import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { isSameLibrary } from './library.ts'

// The thread of db/sqlite/checkpointer.ts. The build bundles it as an asset.

if (!isSameLibrary(workerData)) throw new Error('the library of the database was replaced since the server started')

parentPort!.on('message', (file: string) => {
  let failure: string | undefined
  try {
    // Opened for each checkpoint, so that a world can close without waiting for this thread.
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
