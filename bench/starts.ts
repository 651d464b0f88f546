import { once } from 'node:events'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildExecutable } from '../tools/executable.ts'
import { buildPackage } from '../tools/package/build.ts'
import { plainEnvironment, run } from '../tools/run.ts'
import {
  at,
  flagsOf,
  folder,
  launch,
  progress,
  type ReadyServer,
  residentMegabytes,
  SERVER_CORE,
  serve,
} from './processes.ts'
import { get, send, sendRequest } from './requests.ts'
import { median, spread, table, two, whole } from './tables.ts'
import { CONNECTIONS, Load } from './turns.ts'

// `npm run bench -- start`: how long each way to start takes, against Node with Fastify and one route, and the memory of
// a server. Everything has one core, as `before` and `requests` give it.

const ROUNDS = 7
/** From the first answer to the measurement of memory: V8 returns what the start used. */
const IDLE_MS = 12_000
const LOAD_REQUESTS = 20_000
const FIRST_CALL = '/users/me'

const BARE = `const app = require('fastify')()
app.get('${FIRST_CALL}', async () => ({ id: 1 }))
app.listen({ port: 0 }).then((url) => console.log(JSON.stringify({ url, sellers: [{ token: '' }] })))`

/** Opens two marketplaces in a process, as tests do. Prints the ms of each, from the call to the first answer. */
const SANDBOX = `const { sandbox } = require('mercadito')
async function open() {
  const begun = performance.now()
  const s = await sandbox()
  const { status } = await s.fetch('${FIRST_CALL}', { headers: { authorization: 'Bearer ' + s.seller().token } })
  if (status !== 200) throw new Error('the first answer is ' + status)
  console.log(performance.now() - begun)
  return s
}
open().then(async (first) => { await (await open()).close(); await first.close() })`

/** Ms of each round, by the name of what was started. */
type Times = Map<string, number[]>

export async function measureStarts(): Promise<string> {
  const installed = await install()
  const executable = await buildExecutable()
  const times: Times = new Map()
  const add = (name: string, ms: number) => times.set(name, [...(times.get(name) ?? []), ms])
  const kept = join(folder, 'kept')
  const ways: [name: string, start: () => Promise<ReadyServer>][] = [
    ['Fastify with one route', () => serve(['-e', BARE], { core: SERVER_CORE, cwd: at('.') })],
    ['installed, demo world', () => serve([installed.program, ...flagsOf()], { core: SERVER_CORE })],
    ['installed, kept world', () => serve([installed.program, ...flagsOf(kept)], { core: SERVER_CORE })],
    ['executable, demo world', () => serve(flagsOf(), { core: SERVER_CORE, program: executable })],
  ]
  // A first start creates the kept world, and keeps compiled code.
  for (const [, start] of ways) await (await start()).stop()
  for (let n = 0; n < ROUNDS; n++) {
    progress(`round ${n + 1} of ${ROUNDS}`)
    for (const [name, start] of ways) {
      const begun = performance.now()
      const server = await start()
      await answerOf(server, 200, get(FIRST_CALL, server.world.sellers[0]!.token))
      add(name, performance.now() - begun)
      if (name === 'installed, demo world')
        for (const next of ['a further demo world', 'one more']) add(next, await timeOfWorld(server))
      await server.stop()
    }
    add('exec -- true', await timeOf([installed.program, 'exec', '--', 'true']))
    for (const [place, ms] of (await sandboxes(installed.folder)).entries())
      add(place === 0 ? 'sandbox() of a test' : 'a second sandbox()', ms)
  }
  return `${timesTable(times)}\n${await measureMemory(installed.program)}`
}

/** The package as npm installs it. */
async function install(): Promise<{ folder: string; program: string }> {
  const { path } = await buildPackage()
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }')
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  run('npm', ['install', ...flags, path], { cwd: project, env: plainEnvironment() })
  const program = join(project, 'node_modules/mercadito/bin/package.cjs')
  if (!existsSync(program)) throw new Error(`there is no ${program}`)
  return { folder: project, program }
}

async function timeOf(args: string[]): Promise<number> {
  const begun = performance.now()
  const [code] = await once(launch(args, { core: SERVER_CORE, isSilent: true }), 'exit')
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`)
  return performance.now() - begun
}

async function timeOfWorld(server: ReadyServer): Promise<number> {
  const begun = performance.now()
  await answerOf(server, 201, send('POST', '/_sandbox/worlds', undefined, { scenario: 'demo' }))
  return performance.now() - begun
}

async function sandboxes(cwd: string): Promise<number[]> {
  const child = launch(['-e', SANDBOX], { core: SERVER_CORE, cwd })
  const times: number[] = []
  for await (const line of createInterface({ input: child.stdout! })) times.push(Number(line))
  return times
}

async function answerOf(server: ReadyServer, expected: number, request: string): Promise<string> {
  const { status, body } = await sendRequest(server, request)
  if (status !== expected) throw new Error(`${status} ${body}`)
  return body
}

function timesTable(times: Times): string {
  const bare = [...times.values()][0]!
  return table(
    ['from its launch to the first answer', 'ms', `times ${[...times.keys()][0]}`],
    [...times].map(([name, ms]) => [name, spread(ms, whole), two(median(ms.map((one, n) => one / bare[n]!)))]),
  )
}

/** Of a server that is idle after its start, and after pages, series and questions. */
async function measureMemory(program: string): Promise<string> {
  progress('memory')
  const server = await serve([program, ...flagsOf()], { core: SERVER_CORE })
  const { sellers, buyers } = server.world
  const { id, token } = sellers[0]!
  await answerOf(server, 200, get(FIRST_CALL, token))
  const atStart = residentMegabytes(server.pid)
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
  const idle = residentMegabytes(server.pid)
  const requests = [
    get(`/questions/search?seller_id=${id}&limit=50`, token),
    get(`/users/${id}/contacts/phone_views/time_window?last=30&unit=day`, token),
    send('POST', '/questions', buyers[0]!.token, { item_id: 'MLA1400000001', text: '¿Hay stock?' }),
  ]
  const load = new Load()
  await load.play({ port: server.port, connections: CONNECTIONS, requests, count: LOAD_REQUESTS, maxSeconds: 60 })
  load.stop()
  const after = residentMegabytes(server.pid)
  await server.stop()
  return table(
    ['memory of the installed server', 'MB'],
    [
      ['at the first answer', whole(atStart)],
      [`${IDLE_MS / 1000} s later`, whole(idle)],
      [`after ${whole(LOAD_REQUESTS)} requests, a third of them writes`, whole(after)],
    ],
  )
}
