import { printable, type Terminal } from '../../domains/shared/commands.ts'
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

/**
 * Serves the protocol on standard input and output until the client closes them, or a signal ends the program. Without
 * `url` it starts a server in this process: an agent changes no server that nobody has named.
 */
export async function serveMcp(flags: McpFlags, terminal: Terminal): Promise<void> {
  const signals = handleSignals(() => {})
  const { url, adminToken, ca } = flags
  const own = url === undefined ? await startOwnServer(flags) : undefined
  const target: Target = { url: url ?? own!.info.url, adminToken, ca, isOwnServer: own !== undefined }
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
