import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { at, folder, launch, SERVER_CORE, type Server, serve, serverOf } from '../processes.ts'
import { get, post, sendRequest } from '../requests.ts'
import { mockoonFile, mockServerFile, prismFile, wireMockFolder } from './fixed_answers.ts'
import type { RowName, TestData } from './test_data.ts'

// The other servers: how each is configured and started.

/** `queries`: reads its data for every request; `fixed`: sends a configured text. */
export type Kind = 'queries' | 'fixed'

export interface Peer {
  name: string
  /** Its package in bench/peers/package.json. */
  from: string
  kinds: Partial<Record<RowName, Kind>>
  isJava?: boolean
  /** Deletes created rows on SIGUSR2. */
  canForget?: boolean
  /** Other requests than ours; the first must return the same rows. */
  requests?: (data: TestData) => Partial<TestData['requests']>
  start(data: TestData, file: string, home: string): Promise<Server>
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

const START_TIMEOUT_MS = 60_000

/** Starts a program that does not report when it is ready. */
async function startAndPoll(program: string, args: (port: number) => string[], data: TestData): Promise<Server> {
  const port = await freePort()
  const env = { ...process.env, NODE_ENV: 'production' }
  // Some write files to their working directory.
  const child = launch(args(port), { core: SERVER_CORE, program, isSilent: true, env, cwd: folder })
  const server = serverOf(child, port)
  for (const deadline = performance.now() + START_TIMEOUT_MS; ; ) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const answer = await sendRequest(server, data.requests.question[0]!).catch(() => undefined)
    if (answer?.status === 200) return server
    if (performance.now() > deadline) throw new Error(`${child.spawnargs.join(' ')} does not answer: ${answer?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

const startScript = (script: string, file: string): Promise<Server> =>
  serve([at(`bench/peers/${script}`), file], { core: SERVER_CORE, env: { ...process.env, NODE_ENV: 'production' } })

export const PEERS: Peer[] = [
  {
    name: 'json-server',
    from: 'json-server',
    kinds: { question: 'queries', page: 'queries', series: 'fixed', create: 'queries' },
    canForget: true,
    requests: ({ seller, fixed, rows: { buyers, items } }) => {
      const question = JSON.parse(fixed.find(({ row }) => row === 'question')!.body) as { id: number }
      const created = JSON.parse(fixed.find(({ row }) => row === 'create')!.body) as Record<string, unknown>
      const { id: _, ...rest } = created
      return {
        question: [get(`/questions/${question.id}`, '')],
        page: [get(`/found?seller_id=${seller}&_sort=date_created&_order=desc&_limit=50`, '')],
        series: [get('/series', '')],
        // With all members, because it only adds the id.
        create: Array.from({ length: 256 }, (_, n) => {
          const { id: item_id, seller_id } = items[n % items.length]!
          const from = { id: buyers[n % buyers.length]!.id }
          return post('/asked', '', n === 0 ? rest : { ...rest, item_id, seller_id, text: `Hola (${n})`, from })
        }),
      }
    },
    start: (_facts, file) => startScript('json_server.js', file),
  },
  {
    name: 'MSW',
    from: 'msw',
    kinds: { question: 'queries', page: 'queries', series: 'queries', create: 'queries' },
    canForget: true,
    start: (_facts, file) => startScript('msw.js', file),
  },
  {
    name: 'Mockoon CLI',
    from: '@mockoon/cli',
    kinds: FIXED,
    start: (data, _file, home) =>
      startAndPoll(
        process.execPath,
        (port) => [
          inPeers('@mockoon/cli/bin/run.js'),
          'start',
          ...['--data', mockoonFile(home, data.fixed, port), '--port', String(port), '--hostname', '127.0.0.1'],
          ...['--repair', '--disable-log-to-file', '--disable-admin-api', '--max-transaction-logs', '1'],
        ],
        data,
      ),
  },
  {
    name: 'Prism',
    from: '@stoplight/prism-cli',
    kinds: FIXED,
    start: (data, _file, home) =>
      startAndPoll(
        process.execPath,
        (port) => [
          inPeers('@stoplight/prism-cli/dist/index.js'),
          ...['mock', prismFile(home, data.fixed), '--port', String(port), '--host', '127.0.0.1'],
          ...['--verboseLevel', 'silent', '--cors', 'false', '--multiprocess', 'false'],
        ],
        data,
      ),
  },
  {
    name: 'WireMock',
    from: 'wiremock',
    kinds: FIXED,
    isJava: true,
    start: (data, _file, home) =>
      startAndPoll(
        'java',
        (port) => [
          ...['-jar', inPeers(`wiremock/build/wiremock-standalone-${versionOf('wiremock')}.jar`)],
          ...['--port', String(port), '--bind-address', '127.0.0.1', '--root-dir', wireMockFolder(home, data.fixed)],
          ...['--no-request-journal', '--disable-request-logging', '--disable-gzip', '--disable-response-templating'],
          ...['--use-chunked-encoding', 'never', '--disable-banner', '--disable-extensions-scanning'],
        ],
        data,
      ),
  },
  {
    name: 'MockServer',
    from: 'mockserver-node',
    kinds: FIXED,
    isJava: true,
    start: (data, _file, home) =>
      startAndPoll(
        'java',
        (port) => [
          '-Dmockserver.logLevel=OFF',
          '-Dmockserver.disableLogging=true',
          '-Dmockserver.disableSystemOut=true',
          '-Dmockserver.dashboardAnalyticsEnabled=false',
          `-Dmockserver.initializationJsonPath=${mockServerFile(home, data.fixed)}`,
          '-jar',
          inPeers(`mockserver-node/mockserver-netty-${versionOf('mockserver-node')}-jar-with-dependencies.jar`),
          ...['-serverPort', String(port)],
        ],
        data,
      ),
  },
]

export const hasJava = (): boolean => spawnSync('java', ['-version']).status === 0
