import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { at, folder, ourServer, progress, SERVER_CORE, type Server, serve } from '../processes.ts'
import { type Answer, ask } from '../requests.ts'
import { type Facts, gather, ROWS, type RowName, writesOf } from './facts.ts'
import { fullName, javaVersion, type Kind, PEERS } from './roster.ts'

// Everybody who takes part, started and checked.

export interface Entrant {
  name: string
  server: Server
  kinds: Partial<Record<RowName, Kind>>
  requests: Partial<Record<RowName, string[]>>
  /** Rows whose answer is not the same bytes as ours, but has the same in it. */
  unlike: RowName[]
  setting: string
  peer: boolean
  java: boolean
  forgets: boolean
}

export interface Field {
  facts: Facts
  entrants: Entrant[]
  /** Peers that cannot take part, with the reason. */
  missing: { name: string; why: string }[]
}

/** Names that the report asks for. */
export const OURS = 'mercadito'
export const KEPT = 'mercadito, kept'
export const MINIMUM = 'minimum'
export const FULL = 'minimum, FULL'
export const NORMAL = 'minimum, NORMAL'
export const RAW = 'raw node:http'

const QUERIES: Entrant['kinds'] = { question: 'queries', page: 'queries', series: 'queries', create: 'queries' }

/** Starts everybody on the server's core, and holds every answer against ours. Throws where one differs. */
export async function takePlaces(): Promise<Field> {
  installPeers()
  const home = join(folder, 'peers')
  mkdirSync(home)
  const ours = await ourServer(undefined, { core: SERVER_CORE, env: { ...process.env, TMPDIR: home } })
  const base = join(home, 'base.sqlite')
  await copyWorld(globSync(join(home, 'mercadito-worlds-*/mercadito-world-*/world-1.sqlite'))[0]!, base)
  const facts = await gather(ours, base)
  const file = join(home, 'facts.json')
  writeFileSync(file, JSON.stringify(facts))

  const minimal = (synchronous: string) => {
    const copy = join(home, `${synchronous}.sqlite`)
    copyFileSync(base, copy)
    return serve([at('bench/minimal.ts'), copy, synchronous], { core: SERVER_CORE })
  }
  const kept = join(home, 'kept')
  mkdirSync(kept)
  copyFileSync(base, join(kept, 'world-1.sqlite'))
  const { create } = facts.requests
  const entrants: Entrant[] = []
  const enter = async (name: string, server: Server, more: Partial<Entrant>) =>
    entrants.push(
      await checked(facts, {
        ...{ name, server, kinds: QUERIES, requests: facts.requests, unlike: [], setting: '' },
        ...{ peer: false, java: false, forgets: false },
        ...more,
      }),
    )
  const minimum = await minimal('OFF')
  await enter(OURS, ours, { setting: 'a temporary world, as it starts by default: synchronous = OFF' })
  await enter(KEPT, await ourServer(kept, { core: SERVER_CORE }), {
    requests: { create },
    setting: 'with --data: answers wait until the log is on the disk',
  })
  await enter(MINIMUM, minimum, {
    setting: 'Fastify, schema, prepared statements on a copy of the same world: bench/minimal.ts; synchronous = OFF',
  })
  await enter(NORMAL, await minimal('NORMAL'), {
    requests: { create },
    setting: 'the same, not synchronised by commits',
  })
  await enter(FULL, await minimal('FULL'), { requests: { create }, setting: 'the same, synchronised by every commit' })
  await enter(RAW, await serve([at('bench/peers/raw.ts'), file], { core: SERVER_CORE }), {
    kinds: { question: 'fixed', page: 'fixed', series: 'fixed', create: 'fixed' },
    setting: 'ready bytes by method and path; a POST is read and forgotten',
  })
  const missing: Field['missing'] = []
  const java = javaVersion()
  for (const peer of PEERS) {
    if (peer.java && !java) {
      missing.push({ name: fullName(peer), why: 'not measured: there is no java (openjdk-17-jre-headless)' })
      continue
    }
    progress(`starting ${peer.name}`)
    const { kinds, setting, forgets = false } = peer
    const requests = { ...facts.requests, ...peer.requests?.(facts) }
    const server = await peer.start(facts, file, home)
    await enter(fullName(peer), server, { peer: true, kinds, setting, java: !!peer.java, forgets, requests })
  }
  // Last: a series is another one then.
  await checkWrites(facts, ours, minimum)
  return { facts, entrants, missing }
}

/** The packages that bench/peers/package.json pins, unless they are there; no script of theirs runs. */
function installPeers(): void {
  const { dependencies } = JSON.parse(readFileSync(at('bench/peers/package.json'), 'utf8'))
  const there = ([name, version]: [string, unknown]) => {
    const file = at(`bench/peers/node_modules/${name}/package.json`)
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version === version
  }
  if (Object.entries(dependencies).every(there)) return
  progress('installing the peers')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const { status } = spawnSync('npm', args, { cwd: at('bench/peers'), stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error(`npm ${args.join(' ')} in bench/peers ended with ${status}`)
}

async function copyWorld(from: string, to: string): Promise<void> {
  const db = new Sqlite(from, { readonly: true })
  await db.backup(to)
  db.close()
}

/** Asks for every row once, and holds it against ours: the same bytes, else the same members or rows. */
async function checked(facts: Facts, entrant: Entrant): Promise<Entrant> {
  for (const row of ROWS) {
    const [text] = entrant.requests[row] ?? []
    if (text === undefined) continue
    const answer = await ask(entrant.server, text)
    const truth = facts.fixed.find((fixed) => fixed.row === row)!
    const bytes = row === 'create' ? masked(answer.body) === masked(truth.body) : answer.body === truth.body
    if (answer.status !== truth.status || !(bytes || sameRows(row, answer, truth.body)))
      throw new Error(
        `${entrant.name}: ${row}\n${text}\n${answer.status} ${short(answer.body)}\ninstead of\n${short(truth.body)}`,
      )
    if (!bytes) entrant.unlike.push(row)
  }
  return entrant
}

/** Ids and instants of what is created differ. */
const masked = (body: string): string =>
  body.replace(/"id":\d+,"answer"/, '"id":0,"answer"').replace(/"date_created":"[^"]*"/, '"date_created":""')

/**
 * A page that is only its rows, with the count in a header; a created question whose members stand in another order.
 */
function sameRows(row: RowName, { body, headers }: Answer, truth: string): boolean {
  const [got, wanted] = [JSON.parse(body), JSON.parse(truth)]
  if (row === 'page')
    return JSON.stringify(got) === JSON.stringify(wanted.questions) && headers['x-total-count'] === String(wanted.total)
  const members = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  const plain = (object: object) => JSON.stringify(members({ ...object, id: 0, date_created: '' }))
  return row === 'create' && plain(got) === plain(wanted)
}

/** The writes that a read follows must show in it, and ours and the minimum must still give the same bytes. */
async function checkWrites(facts: Facts, ours: Server, minimum: Server): Promise<void> {
  for (const row of ['page', 'series'] as const) {
    const [read] = facts.requests[row] as [string]
    let before = (await ask(ours, read)).body
    for (const write of writesOf(row, facts)) {
      const statuses = [(await ask(ours, write)).status, (await ask(minimum, write)).status]
      const [after, other] = [(await ask(ours, read)).body, (await ask(minimum, read)).body]
      if (statuses[0] !== statuses[1] || after !== other || after === before)
        throw new Error(`${row} after a write\n${statuses}\n${[before, after, other].map(short).join('\n')}`)
      before = after
    }
  }
}

const short = (body: string): string => body.slice(0, 500)
