import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { at, folder, launch, SERVER_CORE, type Server, serve, serverOf } from '../processes.ts'
import { ask, get, post } from '../requests.ts'
import type { Facts, RowName } from './facts.ts'
import { mockoonFile, mockServerFile, prismFile, wireMockFolder } from './fixed.ts'

// The servers that ours is compared with: how each is started, and what its answers are.

/** `queries`: it looks into what it holds with every request; `fixed`: it sends a text that it was given. */
export type Kind = 'queries' | 'fixed'

export interface Peer {
  name: string
  /** Its package; the version is what bench/peers/package.json pins. */
  from: string
  kinds: Record<RowName, Kind>
  /** How it is set up, for the report. */
  setting: string
  java?: boolean
  /** Whether it forgets at SIGUSR2 what was created. */
  forgets?: boolean
  /** Where it does not take the same requests; the first must have the same rows in its answer as ours. */
  requests?: (facts: Facts) => Partial<Facts['requests']>
  start(facts: Facts, file: string, home: string): Promise<Server>
}

const FIXED: Peer['kinds'] = { question: 'fixed', page: 'fixed', series: 'fixed', create: 'fixed' }
const inPeers = (path: string) => at(`bench/peers/node_modules/${path}`)
const versionOf = (name: string): string =>
  JSON.parse(readFileSync(inPeers(`${name}/package.json`), 'utf8')).version as string
export const fullName = ({ name, from }: Peer): string => `${name} ${versionOf(from)}`

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Ms that a server may take to answer for the first time. */
const PATIENCE = 60_000

/** Starts a program that does not tell when it is ready. */
async function started(program: string, args: (port: number) => string[], facts: Facts): Promise<Server> {
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production' }
  // Some write where they are started.
  const child = launch(args(port), { core: SERVER_CORE, program, silent: true, env, cwd: folder })
  const server = serverOf(child, port)
  for (const late = performance.now() + PATIENCE; ; ) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const answer = await ask(server, facts.requests.question[0]!).catch(() => undefined)
    if (answer?.status === 200) return server
    if (performance.now() > late) throw new Error(`${child.spawnargs.join(' ')} does not answer: ${answer?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const told = (script: string, file: string): Promise<Server> =>
  serve([at(`bench/peers/${script}`), file], { core: SERVER_CORE, env: { ...process.env, NODE_ENV: 'production' } })

export const PEERS: Peer[] = [
  {
    name: 'json-server',
    from: 'json-server',
    kinds: { question: 'queries', page: 'queries', series: 'fixed', create: 'queries' },
    setting: 'its router alone, the seller’s rows in memory, no log, no gzip, not indented',
    forgets: true,
    requests: ({ seller, fixed, rows: { buyers, items } }) => {
      const question = JSON.parse(fixed.find(({ row }) => row === 'question')!.body) as { id: number }
      const created = JSON.parse(fixed.find(({ row }) => row === 'create')!.body) as Record<string, unknown>
      const { id: _, ...rest } = created
      return {
        question: [get(`/questions/${question.id}`, '')],
        page: [get(`/found?seller_id=${seller}&_sort=date_created&_order=desc&_limit=50`, '')],
        series: [get('/series', '')],
        // All members, because it fills in none but the id.
        create: Array.from({ length: 256 }, (_, n) => {
          const { id: item_id, seller_id } = items[n % items.length]!
          const from = { id: buyers[n % buyers.length]!.id }
          return post('/asked', '', n === 0 ? rest : { ...rest, item_id, seller_id, text: `Hola (${n})`, from })
        }),
      }
    },
    start: (_facts, file) => told('json_server.js', file),
  },
  {
    name: 'MSW',
    from: 'msw',
    kinds: { question: 'queries', page: 'queries', series: 'queries', create: 'queries' },
    setting: 'behind @mswjs/http-middleware, handlers over arrays in memory',
    forgets: true,
    start: (_facts, file) => told('msw.js', file),
  },
  {
    name: 'Mockoon CLI',
    from: '@mockoon/cli',
    kinds: FIXED,
    setting: 'no templates, no admin API, no log file, one transaction kept',
    start: (facts, _file, home) =>
      started(
        process.execPath,
        (port) => [
          inPeers('@mockoon/cli/bin/run.js'),
          'start',
          ...['--data', mockoonFile(home, facts.fixed, port), '--port', String(port), '--hostname', '127.0.0.1'],
          ...['--repair', '--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '1'],
        ],
        facts,
      ),
  },
  {
    name: 'Prism',
    from: '@stoplight/prism-cli',
    kinds: FIXED,
    setting: 'examples without schemas, silent, no CORS, one process',
    start: (facts, _file, home) =>
      started(
        process.execPath,
        (port) => [
          inPeers('@stoplight/prism-cli/dist/index.js'),
          ...['mock', prismFile(home, facts.fixed), '--port', String(port), '--host', '127.0.0.1'],
          ...['--verboseLevel', 'silent', '--cors', 'false', '--multiprocess', 'false'],
        ],
        facts,
      ),
  },
  {
    name: 'WireMock',
    from: 'wiremock',
    kinds: FIXED,
    setting: 'no journal, no log, no gzip, no templates, no chunks',
    java: true,
    start: (facts, _file, home) =>
      started(
        'java',
        (port) => [
          ...['-jar', inPeers(`wiremock/build/wiremock-standalone-${versionOf('wiremock')}.jar`)],
          ...['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', wireMockFolder(home, facts.fixed)],
          ...['--no-request-journal', '--disable-request-logging', '--disable-gzip', '--disable-response-templating'],
          ...['--use-chunked-encoding', 'never', '--disable-banner', '--disable-extensions-scanning'],
        ],
        facts,
      ),
  },
  {
    name: 'MockServer',
    from: 'mockserver-node',
    kinds: FIXED,
    setting: 'matched by method and path, nothing logged or recorded',
    java: true,
    start: (facts, _file, home) =>
      started(
        'java',
        (port) => [
          '-Dmockserver.logLevel=OFF',
          '-Dmockserver.disableLogging=true',
          '-Dmockserver.disableSystemOut=true',
          '-Dmockserver.dashboardAnalyticsEnabled=false',
          `-Dmockserver.initializationJsonPath=${mockServerFile(home, facts.fixed)}`,
          '-jar',
          inPeers(`mockserver-node/mockserver-netty-${versionOf('mockserver-node')}-jar-with-dependencies.jar`),
          ...['-serverPort', String(port)],
        ],
        facts,
      ),
  },
]

/** The first line of `java -version`; undefined where there is none. */
export function javaVersion(): string | undefined {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' })
  return status === 0 ? stderr.split('\n')[0] : undefined
}
