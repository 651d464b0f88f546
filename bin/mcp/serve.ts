import { printable, type Terminal } from '../../domains/shared/commands.ts'
import { createClient } from '../client.ts'
import type { RunningServer } from '../serve.ts'
import { handleSignals } from '../shutdown.ts'
import type { Target } from './call_tool.ts'
import { StdioServerTransport, serveStdio } from './sdk.ts'
import { createMcpServer } from './server.ts'

export interface McpFlags {
  url?: string
  adminToken?: string
  ca?: string
}

/** Where `mercadito start` listens. */
const DEFAULT_URL = 'http://127.0.0.1:4400'
/** Time for the server at the default address to answer. */
const PROBE_TIMEOUT_MS = 2000
/** Statuses of `GET /whoami` of a server, also of one that needs a token. */
const SERVER_STATUSES = [200, 401, 403]

/**
 * Serves the protocol on standard input and output until the client closes them, or a signal ends the program. Without
 * `url` and without a server at the default address it starts one in this process.
 */
export async function serveMcp(flags: McpFlags, terminal: Terminal): Promise<void> {
  const signals = handleSignals(() => {})
  const own =
    flags.url === undefined && !(await isServing(DEFAULT_URL, flags)) ? await startOwnServer(flags) : undefined
  const target: Target = {
    url: own?.info.url ?? flags.url ?? DEFAULT_URL,
    adminToken: flags.adminToken,
    ca: flags.ca,
    isOwnServer: own !== undefined,
  }
  const report = (text: string) => terminal.err(`mercadito: ${printable(text)}\n`)
  report(own ? `started a server at ${target.url}` : `uses the server at ${target.url}`)
  const transport = new StdioServerTransport()
  const connection = serveStdio(() => createMcpServer(target), { transport, onerror: ({ message }) => report(message) })
  const close = async () => {
    await connection.close()
    await own?.close()
  }
  signals.onShutdown(close)
  await closed(transport)
  await close()
}

/** Resolves when the transport is closed: at the end of standard input, or after an error of one of the streams. */
const closed = (transport: StdioServerTransport): Promise<void> =>
  new Promise((resolve) => {
    const { onclose } = transport
    transport.onclose = () => {
      onclose?.()
      resolve()
    }
  })

async function isServing(url: string, { adminToken, ca }: McpFlags): Promise<boolean> {
  try {
    const client = createClient(url, { adminToken, ca, signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    const { status } = await client.request('GET /whoami')
    return SERVER_STATUSES.includes(status)
  } catch {
    return false
  }
}

/** A server with a temporary world, on a free port. */
async function startOwnServer({ adminToken }: McpFlags): Promise<RunningServer> {
  const { listen } = await import('../serve.ts')
  return listen({
    host: '127.0.0.1',
    port: 0,
    scenario: 'demo',
    seed: 1,
    ...(adminToken !== undefined && { adminToken }),
    isGiven: () => false,
  })
}
