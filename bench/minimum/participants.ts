import { copyFileSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { at, folder, ourServer, SERVER_CORE, type Server, serve } from '../processes.ts'
import { sendRequest } from '../requests.ts'
import { collectTestData, ROWS, type RowName, type TestData, writesOf } from './test_data.ts'

// Starts all servers that are compared, and checks their answers.

export interface Participant {
  name: string
  server: Server
  requests: Partial<Record<RowName, string[]>>
}

export interface Participants {
  data: TestData
  participants: Participant[]
}

export const OURS = 'mercadito'
export const KEPT = 'mercadito, kept'
export const MINIMUM = 'minimum'
export const FULL = 'minimum, FULL'
export const RAW = 'raw node:http'

/** Starts the servers on the server's core and compares their answers with ours. Throws an Error for a difference. */
export async function startParticipants(): Promise<Participants> {
  const home = join(folder, 'participants')
  mkdirSync(home)
  const ours = await ourServer(undefined, { core: SERVER_CORE, env: { ...process.env, TMPDIR: home } })
  const base = join(home, 'base.sqlite')
  await copyWorld(globSync(join(home, 'mercadito-worlds-*/mercadito-world-*/world-1.sqlite'))[0]!, base)
  const data = await collectTestData(ours, base)
  const file = join(home, 'facts.json')
  writeFileSync(file, JSON.stringify(data))

  const participants: Participant[] = []
  const enter = async (name: string, server: Server, requests: Participant['requests'] = data.requests) => {
    const participant = { name, server, requests }
    await check(data, participant)
    participants.push(participant)
  }
  const minimum = await startMinimum(base, 'OFF')
  const kept = join(home, 'kept')
  mkdirSync(kept)
  copyFileSync(base, join(kept, 'world-1.sqlite'))
  const { create } = data.requests
  await enter(OURS, ours)
  await enter(KEPT, await ourServer(kept, { core: SERVER_CORE }), { create })
  await enter(MINIMUM, minimum)
  await enter(FULL, await startMinimum(base, 'FULL'), { create })
  await enter(RAW, await serve([at('bench/minimum/raw.ts'), file], { core: SERVER_CORE }))
  // Last, because it changes the series.
  await checkWrites(data, ours, minimum)
  return { data, participants }
}

/** With a copy of the world. */
function startMinimum(base: string, synchronous: string): Promise<Server> {
  const copy = join(dirname(base), `${synchronous}.sqlite`)
  copyFileSync(base, copy)
  return serve([at('bench/minimum/server.ts'), copy, synchronous], { core: SERVER_CORE })
}

async function copyWorld(from: string, to: string): Promise<void> {
  const db = new Sqlite(from, { readonly: true })
  await db.backup(to)
  db.close()
}

/** Requests every row once, and compares its bytes with ours. */
async function check(data: TestData, participant: Participant): Promise<void> {
  for (const row of ROWS) {
    const [text] = participant.requests[row] ?? []
    if (text === undefined) continue
    const answer = await sendRequest(participant.server, text)
    const truth = data.fixed.find((fixed) => fixed.row === row)!
    const isSame = row === 'create' ? masked(answer.body) === masked(truth.body) : answer.body === truth.body
    if (answer.status !== truth.status || !isSame)
      throw new Error(
        `${participant.name}: ${row}\n${text}\n${answer.status} ${short(answer.body)}\ninstead of\n${short(truth.body)}`,
      )
  }
}

/** Without the id and the time of a created question. */
const masked = (body: string): string =>
  body.replace(/"id":\d+,"answer"/, '"id":0,"answer"').replace(/"date_created":"[^"]*"/, '"date_created":""')

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
