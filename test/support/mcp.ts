import { Client, type ClientOptions } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Test } from 'tap'
import { program } from './bundle.ts'

export interface McpClient {
  client: Client
  /** Standard error so far. */
  errors(): string
  /** Calls a tool; returns its text, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
  /** Calls a tool that must succeed; returns its parsed answer. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  callJson(name: string, args?: Record<string, unknown>): Promise<any>
}

/** Starts `mercadito mcp` of the bundle with the SDK's own client. */
export const connectMcp = (t: Test, ...flags: string[]): Promise<McpClient> => connectMcpWith(t, {}, ...flags)

interface McpOptions extends ClientOptions {
  /** Additional environment variables of the program. */
  env?: Record<string, string>
}

/** As `connectMcp`, with options of the client and of the program. */
export async function connectMcpWith(t: Test, options: McpOptions, ...flags: string[]): Promise<McpClient> {
  const { env: variables, ...clientOptions } = options
  const client = new Client({ name: 'test', version: '1.0.0' }, clientOptions)
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', PATH: process.env.PATH!, ...variables }
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...flags],
    env,
    stderr: 'pipe',
  })
  let errors = ''
  transport.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  t.teardown(() => client.close())
  await client.connect(transport)
  const call: McpClient['call'] = async (name, args = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    return { text: textOf(content[0]!), isError }
  }
  return {
    client,
    errors: () => errors,
    call,
    async callJson(name, args) {
      const { text, isError } = await call(name, args)
      if (isError) throw new Error(`${name}: ${text}`)
      return JSON.parse(text)
    },
  }
}

/** The text of a content, of a message or resource. */
export function textOf(content: object): string {
  if (!('text' in content) || typeof content.text !== 'string') throw new Error('the content is no text')
  return content.text
}
