import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { Client, type ClientOptions, type Transport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { Test } from 'tap'
import { type McpFlags, serveMcp } from '../../mcp/index.ts'
import { program } from './bundle.ts'

interface McpClient {
  client: Client
  /** Standard error so far. */
  errors(): string
  /** Calls a tool; returns its text, and whether it is an error. */
  call(name: string, args?: Record<string, unknown>): Promise<{ text: string; isError: boolean }>
  /** Calls a tool that must succeed; returns its parsed answer. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any member of any answer
  callJson(name: string, args?: Record<string, unknown>): Promise<any>
}

/** Serves the protocol to the SDK's own client in this process, for a running server. */
export async function connectMcp(t: Test, flags: McpFlags & { url: string }, options: ClientOptions = {}) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let errors = ''
  const ended = serveMcp(flags, {
    ...{ input, output, onShutdown: () => {} },
    terminal: {
      out() {},
      err(text) {
        errors += text
      },
    },
    startServer: () => Promise.reject(new Error('a running server is given')),
  })
  const transport: Transport = {
    async start() {
      createInterface({ input: output }).on('line', (line) => transport.onmessage?.(JSON.parse(line)))
    },
    send: async (message) => void input.write(`${JSON.stringify(message)}\n`),
    async close() {
      input.end()
      await ended
      output.end()
      transport.onclose?.()
    },
  }
  return connect(t, options, transport, () => errors)
}

/** Starts `mercadito mcp` of the bundle, with additional environment variables. */
export async function spawnMcp(t: Test, variables: Record<string, string>): Promise<McpClient> {
  const env = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '', PATH: process.env.PATH!, ...variables }
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [program, 'mcp'], env, stderr: 'pipe' },
  })
  let errors = ''
  transport.stderr!.on('data', (chunk) => {
    errors += chunk
  })
  return connect(t, {}, transport, () => errors)
}

async function connect(
  t: Test,
  options: ClientOptions,
  transport: Transport,
  errors: () => string,
): Promise<McpClient> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  t.teardown(() => client.close())
  await client.connect(transport)
  const call: McpClient['call'] = async (name, args = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args })
    return { text: textOf(content[0]!), isError }
  }
  return {
    client,
    errors,
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
