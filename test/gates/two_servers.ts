import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { createInterface } from 'node:readline'
import { at, root } from '../../tools/root.ts'
import { startPostgres } from '../cluster/postgres.ts'
import { sizeOr } from '../support/torture.ts'

// Tests of worlds, of their states and of all that a call may consist of, unchanged, against two servers that share their
// worlds: each call goes to one of them at random, as `SEED` decides. See test/support/cluster.ts.

/**
 * Tests that do more than call a server: they look into one, or at its files, change the time of the process, break
 * connections off, which the server between answers with 502, need all worlds of a run on one server, or claim a world at the
 * same time, which is 503 for all but one.
 */
const OF_ONE_SERVER: Record<string, string[]> = {
  'explain.test.ts': [
    'a fix is tried on a copy: nothing of it is left',
    'a call that was broken off, and errors that only an operator can end, have no fix',
  ],
  'faults.test.ts': ['injects a fault into one call by header'],
  'inbox.test.ts': ['is a target of exposed servers, too, and opens no connection; similar texts are rejected'],
  'overview.test.ts': ['a new world, and the same after calls of every kind'],
  'requests.test.ts': ['filters, sorts and pages', 'verifies the status of answers'],
  'runs.test.ts': [
    'a run reviews its worlds, also those that were deleted or reset meanwhile',
    'the latest refused calls of all worlds are explained',
    'worlds that were gone are counted',
  ],
  'undo.test.ts': [
    'takes a snapshot before a call, lists it, and restores it',
    'goes back several snapshots at once',
    'keeps the latest 20 of a world',
    'removes the oldest snapshots of all worlds when they have too many bytes',
  ],
  'world_expiry.test.ts': ['the list shows the clocks of worlds that were closed again, and null for a damaged one'],
  'world_file.test.ts': ['rejects an invalid file with the place of the error, and leaves the world as it is'],
  'worlds.test.ts': [
    'creates a world from a scenario and answers its users, application and address',
    'removes a world once when several calls delete it at the same time',
  ],
}

/** What names a world, worlds, or the state of a world as a whole. */
const MENTION = /\/(worlds?|w|snapshots|undo|reset|runs?|overview|control-calls)\b|\bworlds\.\w/g
/** More tests with `SIZE=2`. */
const IS_COMPLETE = sizeOr(1) > 1
/** Tests of fewer mentions are about the contents of one world. Their calls are sent on as those of the others are. */
const MIN_MENTIONS = IS_COMPLETE ? 10 : 20
/** Tests of files and logs, for which `start` opens one server, and of writes whose snapshots undo.test.ts restores. */
const OF_FILES = ['recording.test.ts', 'worlds_damaged.test.ts', 'snapshots_before_writes.test.ts']
/** Tests of what is in the memory of a world: undo.test.ts has its journal, sending_on.test.ts a stream of its events. */
const OF_MEMORY = ['control_calls.test.ts', 'events.kinds.test.ts']
const LEFT_OUT = [...OF_FILES, ...(IS_COMPLETE ? [] : OF_MEMORY)]
/** All that a call may consist of, and bodies that name a world. */
const OF_CALLS = ['test/domains/common.test.ts', 'test/domains/oauth.test.ts']
/** Of a process, which runs many files, also beside other parts of the gate. */
const MAX_SECONDS = 600
const FILE = /^# Subtest: test\/(.*)$/
const RESULT = /^ {4}(not )?ok \d+ - (.*?)(?: # time.*)?$/
/** The end of a file, or an error outside of all. */
const END = /^(not )?ok \d+ - (.*?)(?: # time.*)?$/

const isOfWorlds = (path: string): boolean =>
  !LEFT_OUT.includes(basename(path)) && (readFileSync(at(path), 'utf8').match(MENTION) ?? []).length >= MIN_MENTIONS
const files = [...globSync('test/{domains,control}/*.test.ts', { cwd: root }).filter(isOfWorlds), ...OF_CALLS]
const failed: string[] = []
const seen = new Set<string>()
const ended = new Set<string>()
let passed = 0
const postgres = await startPostgres()
await runFiles()
await postgres.stop()
for (const path of files) if (!ended.has(path)) failed.push(`${path} has not ended`)
for (const [file, titles] of Object.entries(OF_ONE_SERVER))
  for (const title of files.some((path) => basename(path) === file) ? titles : [])
    if (!seen.has(`${file}: ${title}`)) failed.push(`${file}: ${title}: there is no such test`)
process.stdout.write(`${failed.join('\n')}\n${passed} passed, ${failed.length} failed\n`)
process.exitCode = failed.length > 0 ? 1 : 0

async function runFiles(): Promise<void> {
  const child = spawn(process.execPath, [at('tools/test.ts'), '--jobs=1', `--timeout=${MAX_SECONDS}`, ...files], {
    cwd: root,
    env: { ...process.env, MERCADITO_TEST_DATABASE: postgres.url },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let details: string[] = []
  let file = ''
  let failuresOfFile = 0
  for await (const line of createInterface({ input: child.stdout })) {
    details.push(line)
    file = basename(FILE.exec(line)?.[1] ?? file)
    const [, isFailed, title] = RESULT.exec(line) ?? []
    if (title !== undefined) {
      seen.add(`${file}: ${title}`)
      if (!isFailed) passed++
      else {
        failuresOfFile++
        if (!OF_ONE_SERVER[file]?.includes(title)) failed.push([`${file}: ${title}`, ...details].join('\n'))
      }
      details = []
    }
    const end = END.exec(line)
    if (!end) continue
    ended.add(end[2]!)
    if (end[1] && failuresOfFile === 0) failed.push([end[2], ...details].join('\n'))
    failuresOfFile = 0
  }
}
