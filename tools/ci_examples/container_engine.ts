import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, createServer as createTcpServer, type Server } from 'node:net'
import { json } from 'node:stream/consumers'
import { at } from '../root.ts'

/** The part of Docker's API that Testcontainers uses. A "container" is a server process, with its port behind another one. */
interface ContainerEngine {
  /** For DOCKER_HOST. */
  host: string
  /** `GET /info`, in their order. */
  calls: string[]
  /** The bodies of the calls that create containers. */
  created: ContainerSettings[]
  close(): void
}

interface ContainerSettings {
  Image: string
  Env: string[]
  ExposedPorts: Record<string, object>
}

const ID = 'c'.repeat(64)
const [IMAGE, PORT] = ['mercadito:latest', '4400/tcp']

export async function openContainerEngine(): Promise<ContainerEngine> {
  const calls: string[] = []
  const created: ContainerSettings[] = []
  let container: Container | undefined

  const routes: Record<string, (body: ContainerSettings) => unknown> = {
    'GET /info': () => ({ OperatingSystem: 'none', OSType: 'linux', Architecture: 'x86_64', ServerVersion: '28.0.0' }),
    'GET /containers/json': () => [],
    [`GET /images/${IMAGE}/json`]: () => ({ Id: 'sha256:1', RepoTags: [IMAGE] }),
    'POST /containers/create'(body) {
      created.push(body)
      return { Id: ID, Warnings: [] }
    },
    async [`POST /containers/${ID}/start`]() {
      container = await startContainer(created.at(-1)!)
    },
    [`GET /containers/${ID}/json`]: () => ({
      ...{ Id: ID, Name: '/mercadito', Config: { Hostname: 'mercadito', Labels: {} } },
      State: { Status: 'running', Running: true },
      NetworkSettings: { Ports: { [PORT]: [{ HostIp: '0.0.0.0', HostPort: String(container!.port) }] }, Networks: {} },
    }),
    [`POST /containers/${ID}/stop`]: () => container!.stop(),
    [`DELETE /containers/${ID}`]: () => undefined,
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = `${request.method} ${request.url!.split('?')[0]}`
    calls.push(call)
    const route = routes[call]
    const body = request.method === 'POST' && request.headers['content-type'] ? await json(request) : undefined
    const result = await route?.(body as ContainerSettings)
    response.writeHead(route ? (result ? 200 : 204) : 404, { 'content-type': 'application/json' })
    response.end(result || !route ? JSON.stringify(result ?? { message: `no ${call}` }) : undefined)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(JSON.stringify({ message: String(error) })))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `tcp://127.0.0.1:${portOf(server)}`,
    ...{ calls, created },
    close() {
      container?.stop()
      server.closeAllConnections()
      server.close()
    },
  }
}

interface Container {
  /** The mapped port. */
  port: number
  stop(): void
}

/** Starts the server with the variables of the container; the image would let it listen on all addresses. */
async function startContainer({ Env }: ContainerSettings): Promise<Container> {
  const env = { PATH: process.env.PATH, ...Object.fromEntries(Env.map((line) => line.split(/=(.*)/s))) }
  const child = spawn(process.execPath, [at('dist/mercadito.js'), '--port', '0', '--ready-json'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout, 'data')
  const target = Number(new URL(JSON.parse(line).url).port)
  const mapped = createTcpServer((socket) => {
    const upstream = connect(target, '127.0.0.1')
    for (const one of [socket, upstream]) one.on('error', () => one.destroy())
    socket.pipe(upstream).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(mapped, 'listening')
  return { port: portOf(mapped), stop: () => stop(child, mapped) }
}

function stop(child: ChildProcess, mapped: Server): void {
  child.kill()
  mapped.close()
}

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as { port: number }).port
