import { parentPort, workerData } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { isSameLibrary } from './same_library.ts'

// What runs in the thread of db/sqlite/checkpointer.ts; the build makes an asset of it.

if (!isSameLibrary(workerData)) throw new Error('the library of the database was replaced since the server started')

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
