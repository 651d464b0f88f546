import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { at, root } from '../../tools/root.ts'
import { startPostgres } from '../cluster/postgres.ts'

// The tests of all domains and of the control plane, unchanged, against two servers that share their worlds: each call goes
// to one of them at random, as `SEED` decides. See test/support/cluster.ts.

/**
 * Tests that do more than call a server: they look into one, or at its files, change the time of the process, break
 * connections off, which the server between answers with 502, or need all worlds of a run on one server.
 */
const OF_ONE_SERVER: Record<string, string[]> = {
  'audit.test.ts': [
    'no finding: waits for a rate limit, and for the world’s clock',
    'retries.ignored_retry_after: comes before the date of Retry-After',
  ],
  'disk_full.test.ts': [
    'a write that does not fit gets 507 and changes nothing; later ones fit again',
    'notifications continue by themselves when there is space',
    'a notification whose result did not fit is not sent again',
  ],
  'explain.test.ts': [
    'a fix is tried on a copy: nothing of it is left',
    'a call that was broken off, and errors that only an operator can end, have no fix',
  ],
  'faults.test.ts': ['injects a fault into one call by header'],
  'inbox.test.ts': ['is a target of exposed servers, too, and opens no connection; similar texts are rejected'],
  'overview.test.ts': ['a new world, and the same after calls of every kind'],
  'program_checkpoints.test.ts': [
    'takes a checkpoint before the first write after a quiet second, and restores it',
    'writes that arrive together share one checkpoint, of the state before all of them',
  ],
  'progress.test.ts': [
    'lists a simulation with its days',
    'lists a backup with its bytes',
    'lists a restore with the bytes of the snapshot',
  ],
  'receivers.test.ts': ['rejects this server itself as a receiver'],
  'requests.test.ts': ['filters, sorts and pages', 'verifies the status of answers'],
  'runs.test.ts': [
    'a run reviews its worlds, also those that were deleted or reset meanwhile',
    'the latest refused calls of all worlds are explained',
    'worlds that were gone are counted',
  ],
  'server.test.ts': ['describes the server'],
  'undo.test.ts': [
    'takes a checkpoint before a call, lists it, and restores it',
    'goes back several checkpoints at once',
    'keeps the latest 20 of a world',
    'removes the oldest checkpoints of all worlds when they have too many bytes',
  ],
  'world_release.test.ts': ['releases the world after every call, however the call ends'],
  'world_expiry.test.ts': ['the list shows the clocks of worlds that were closed again, and null for a damaged one'],
  'world_file.test.ts': ['rejects an invalid file with the place of the error, and leaves the world as it is'],
  'worlds.test.ts': ['creates a world from a scenario and answers its users, application and address'],
}

/** That a group of files may take. */
const MAX_SECONDS = 900
/** Fewer pass if the run breaks off. */
const MIN_TESTS = 1000
const FILE = /^ {4}# Subtest: test\/(.*)$/
const RESULT = /^ {8}(not )?ok \d+ - (.*?)(?: # time.*)?$/
/** A file whose tests have not ended in time. */
const EXPIRED = /^ {2}expired: (.*)$/

const postgres = await startPostgres()
/** The others start no server. */
const files = globSync('test/{domains,control}/*.test.ts', { cwd: root }).filter((path) =>
  /\bstart\(/.test(readFileSync(at(path), 'utf8')),
)
const child = spawn(process.execPath, [at('tools/test.ts'), '--jobs=1', `--timeout=${MAX_SECONDS}`, ...files], {
  cwd: root,
  env: { ...process.env, MERCADITO_TEST_DATABASE: postgres.url },
  stdio: ['ignore', 'pipe', 'inherit'],
})
const failed: string[] = []
const seen = new Set<string>()
const details: string[] = []
let file = ''
let passed = 0
for await (const line of createInterface({ input: child.stdout })) {
  details.push(line)
  const [, expired] = EXPIRED.exec(line) ?? []
  if (expired !== undefined) failed.push(`${expired} has not ended in time`)
  file = basename(FILE.exec(line)?.[1] ?? file)
  const [, isFailed, title] = RESULT.exec(line) ?? []
  if (title === undefined) continue
  seen.add(`${file}: ${title}`)
  if (!isFailed) passed++
  else if (!OF_ONE_SERVER[file]?.includes(title)) failed.push([`${file}: ${title}`, ...details].join('\n'))
  details.length = 0
}
await postgres.stop()
const listed = Object.entries(OF_ONE_SERVER).flatMap(([name, titles]) => titles.map((title) => `${name}: ${title}`))
if (passed < MIN_TESTS) failed.push('the run broke off')
else for (const name of listed) if (!seen.has(name)) failed.push(`${name}: there is no such test`)
process.stdout.write(`${failed.join('\n')}\n${passed} passed, ${failed.length} failed\n`)
process.exitCode = failed.length > 0 ? 1 : 0
