import { fdatasync } from 'node:fs'
import t from 'tap'
import { localLog, type Sync } from '../../db/sqlite/local_log.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

let failing: string | undefined
/** A disk that fails to sync the files of one world. */
const syncOf =
  (file: string): Sync =>
  (descriptor, done) =>
    failing && file.includes(failing) ? done(new Error('EIO: i/o error, fdatasync')) : fdatasync(descriptor, done)
const app = await startCommandServer(t, {
  storage: { openLog: (file) => localLog(file, syncOf(file)), hasCheckpointer: false },
})
const { call, control, faults, url } = app

const READY = [200, { status: 'ready' }]
const notReady = (worlds: string) => [
  503,
  {
    message: `The disk failed: writes get 500 in ${worlds} until the server is started again. Reads are answered.`,
    error: 'disk_failed',
    status: 503,
    cause: [],
  },
]
const readiness = async () => {
  const { status, body } = await call('/readyz')
  return [status, body]
}
const brokenWorlds = async () => Number(/^mercadito_worlds_broken (\d+)$/m.exec((await call('/metrics')).text)?.[1])
const createUser = async (base: string) => (await control('POST /users', { site_id: 'MLA' }, base)).status

t.test('readiness, doctor and metrics report worlds whose commits cannot be stored', async (t) => {
  t.equal((await control('POST /worlds', { scenario: 'empty' })).status, 201)
  t.equal(await createUser('/w/2'), 201)
  t.strictSame([await readiness(), await brokenWorlds()], [READY, 0])

  failing = 'world-2.'
  t.equal(await createUser('/w/2'), 500)
  failing = undefined
  t.equal(await createUser('/w/2'), 500, 'later writes are rejected too')
  t.equal((await control('GET /users', undefined, '/w/2')).status, 200, 'reads are answered')
  t.equal(await createUser(''), 201, 'other worlds work')
  t.strictSame([await readiness(), await brokenWorlds()], [notReady('world 2'), 1])
  t.match(await inProcess('status', 'check', '--port', '0', '--url', url), {
    code: 1,
    output: /^bad {2}server {7}http.* is not ready: The disk failed: writes get 500 in world 2 until/m,
  })

  failing = 'world-1.'
  t.equal(await createUser(''), 500)
  failing = undefined
  t.strictSame([await readiness(), await brokenWorlds()], [notReady('worlds 1, 2'), 2])
  t.ok(faults.splice(0).every(({ message }) => message.includes('could not be synced')))
})

t.test('a new state of a world is stored in other files', async (t) => {
  t.equal((await control('POST /reset', {}, '/w/2')).status, 204)
  t.equal(await createUser('/w/2'), 201)
  t.strictSame([await readiness(), await brokenWorlds()], [notReady('world 1'), 1])
  t.equal((await control('POST /reset', {})).status, 204)
  t.strictSame([await readiness(), await brokenWorlds()], [READY, 0])
})
