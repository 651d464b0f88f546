import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { run } from '../../tools/run.ts'
import { at, folder, ourServer, progress, SERVER_CORE, type Server, serve } from '../processes.ts'
import { type Answer, sendRequest } from '../requests.ts'
import { fullName, hasJava, type Kind, PEERS } from './other_servers.ts'
import { collectTestData, PEER_ROWS, ROWS, type RowName, type TestData, writesOf } from './test_data.ts'

// Starts all servers that are compared, and checks their answers.

export interface Participant {
  name: string
  server: Server
  kinds: Partial<Record<RowName, Kind>>
  requests: Partial<Record<RowName, string[]>>
  isPeer?: boolean
  canForget?: boolean
}

export interface Participants {
  data: TestData
  participants: Participant[]
  /** Servers that cannot be started. */
  missing: string[]
}

export const OURS = 'mercadito'
export const KEPT = 'mercadito, kept'
export const MINIMUM = 'minimum'
export const FULL = 'minimum, FULL'
export const RAW = 'raw node:http'

/** Starts the servers on the server's core and compares their answers with ours. Throws an Error for a difference. */
export async function startParticipants(hasPeers: boolean): Promise<Participants> {
  const home = join(folder, 'peers')
  mkdirSync(home)
  const ours = await ourServer(undefined, { core: SERVER_CORE, env: { ...process.env, TMPDIR: home } })
  const base = join(home, 'base.sqlite')
  await copyWorld(globSync(join(home, 'mercadito-worlds-*/mercadito-world-*/world-1.sqlite'))[0]!, base)
  const data = await collectTestData(ours, base)
  const file = join(home, 'facts.json')
  writeFileSync(file, JSON.stringify(data))

  const participants: Participant[] = []
  const enter = async (name: string, server: Server, more: Partial<Participant> = {}) => {
    const participant = { name, server, kinds: {}, requests: data.requests, ...more }
    await check(data, participant)
    participants.push(participant)
  }
  const minimum = await startMinimum(base, 'OFF')
  const kept = join(home, 'kept')
  mkdirSync(kept)
  copyFileSync(base, join(kept, 'world-1.sqlite'))
  const { create } = data.requests
  await enter(OURS, ours)
  await enter(KEPT, await ourServer(kept, { core: SERVER_CORE }), { requests: { create } })
  await enter(MINIMUM, minimum)
  await enter(FULL, await startMinimum(base, 'FULL'), { requests: { create } })
  await enter(RAW, await serve([at('bench/peers/raw.ts'), file], { core: SERVER_CORE }))
  const missing: string[] = []
  if (hasPeers) installPeers()
  const ofPeers = { ...data, fixed: data.fixed.filter(({ row }) => PEER_ROWS.includes(row)) }
  for (const peer of hasPeers ? PEERS : []) {
    if (peer.isJava && !hasJava()) {
      missing.push(peer.name)
      continue
    }
    progress(`starting ${peer.name}`)
    const own = Object.fromEntries(PEER_ROWS.map((row) => [row, data.requests[row]]))
    const requests = { ...own, ...peer.requests?.(data) }
    const { kinds, canForget = false } = peer
    await enter(fullName(peer), await peer.start(ofPeers, file, home), {
      isPeer: true,
      kinds,
      canForget,
      requests,
    })
  }
  // Last, because it changes the series.
  await checkWrites(data, ours, minimum)
  return { data, participants, missing }
}

/** With a copy of the world. */
function startMinimum(base: string, synchronous: string): Promise<Server> {
  const copy = join(dirname(base), `${synchronous}.sqlite`)
  copyFileSync(base, copy)
  return serve([at('bench/minimal.ts'), copy, synchronous], { core: SERVER_CORE })
}

/** Installs the packages of bench/peers/package.json unless they are installed, without install scripts. */
function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(at('bench/peers/package.json'), 'utf8'))
  const isInstalled = ([name, version]: [string, unknown]) => {
    const file = at(`bench/peers/node_modules/${name}/package.json`)
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  }
  if (Object.entries(dependencies).every(isInstalled)) return
  progress('installing the peers')
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: at('bench/peers') })
}

async function copyWorld(from: string, to: string): Promise<void> {
  const db = new Sqlite(from, { readonly: true })
  await db.backup(to)
  db.close()
}

/** Requests every row once, and compares it with ours: the same bytes, else the same members or rows. */
async function check(data: TestData, participant: Participant): Promise<void> {
  for (const row of ROWS) {
    const [text] = participant.requests[row] ?? []
    if (text === undefined) continue
    const answer = await sendRequest(participant.server, text)
    const truth = data.fixed.find((fixed) => fixed.row === row)!
    const bytes = row === 'create' ? masked(answer.body) === masked(truth.body) : answer.body === truth.body
    if (answer.status !== truth.status || !(bytes || sameRows(row, answer, truth.body)))
      throw new Error(
        `${participant.name}: ${row}\n${text}\n${answer.status} ${short(answer.body)}\ninstead of\n${short(truth.body)}`,
      )
  }
}

/** Without the id and the time of a created question. */
const masked = (body: string): string =>
  body.replace(/"id":\d+,"answer"/, '"id":0,"answer"').replace(/"date_created":"[^"]*"/, '"date_created":""')

/** A page of only rows, with the total in a header, or a created question with members in another order. */
function sameRows(row: RowName, { body, headers }: Answer, truth: string): boolean {
  const [got, wanted] = [JSON.parse(body), JSON.parse(truth)]
  if (row === 'page')
    return JSON.stringify(got) === JSON.stringify(wanted.questions) && headers['x-total-count'] === String(wanted.total)
  const members = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  const plain = (object: object) => JSON.stringify(members({ ...object, id: 0, date_created: '' }))
  return row === 'create' && plain(got) === plain(wanted)
}

/** A read must show the write before it, and ours and the minimum must answer the same bytes. */
async function checkWrites(data: TestData, ours: Server, minimum: Server): Promise<void> {
  for (const row of ['page', 'series'] as const) {
    const [read] = data.requests[row] as [string]
    let before = (await sendRequest(ours, read)).body
    for (const write of writesOf(row, data)) {
      const statuses = [(await sendRequest(ours, write)).status, (await sendRequest(minimum, write)).status]
      const [after, other] = [(await sendRequest(ours, read)).body, (await sendRequest(minimum, read)).body]
      if (statuses[0] !== statuses[1] || after !== other || after === before)
        throw new Error(`${row} after a write\n${statuses}\n${[before, after, other].map(short).join('\n')}`)
      before = after
    }
  }
}

const short = (body: string): string => body.slice(0, 500)
