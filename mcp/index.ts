import { createInterface } from 'node:readline'
import { Readable, type Writable } from 'node:stream'
import { printable, type Terminal } from '../domains/shared/commands.ts'
import type { Target } from './call_tool.ts'
import { StdioServerTransport, serveStdio } from './sdk.ts'
import { createMcpServer } from './server.ts'

export interface McpFlags {
  url?: string
  adminToken?: string
  ca?: string
}

/** What the command line does for it. */
interface McpOptions {
  terminal: Terminal
  /** Standard input and output. */
  input: Readable
  output: Writable
  /** Starts a server with a temporary world, on a free port. */
  startServer(): Promise<{ info: { url: string }; close(): Promise<void> }>
  /** Calls `close` when a signal ends the program. */
  onShutdown(close: () => Promise<void>): void
}

/**
 * Serves the protocol on standard input and output until the client closes them, or a signal ends the program. Without
 * `url` it starts a server in this process: an agent changes no server that nobody has named.
 */
export async function serveMcp({ url, adminToken, ca }: McpFlags, options: McpOptions): Promise<void> {
  const { terminal, input, output, startServer, onShutdown } = options
  const own = url === undefined ? await startServer() : undefined
  const target: Target = { url: url ?? own!.info.url, adminToken, ca, isOwnServer: own !== undefined }
  const report = (text: string) => terminal.err(`mercadito: ${printable(text)}\n`)
  report(own ? `started a server at ${target.url}` : `uses the server at ${target.url}`)
  const lines = readJsonLines(input, output)
  const transport = new StdioServerTransport(lines, output)
  const connection = serveStdio(() => createMcpServer(target), { transport, onerror: ({ message }) => report(message) })
  const close = async () => {
    await connection.close()
    lines.destroy()
    await own?.close()
  }
  onShutdown(close)
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

/** The answer of JSON-RPC 2.0 to a text that is not JSON: the id of the request is not known. */
const PARSE_ERROR = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the line is not JSON' } })}\n`

/** Passes lines of JSON on, and answers any other line with a parse error: the SDK answers none, and the client would wait. */
function readJsonLines(input: Readable, output: Writable): Readable {
  async function* lines() {
    for await (const line of createInterface({ input })) {
      if (line.trim() === '') continue
      if (isJson(line)) yield Buffer.from(`${line}\n`)
      else output.write(PARSE_ERROR)
    }
  }
  return Readable.from(lines())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
