import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Uses `mcp` of a program as an agent does: a tool, and a resource that the build wrote. Throws if it does not work. */
export async function checkMcp(command: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const client = new Client({ name: 'check', version: '1.0.0' })
  await client.connect(
    new StdioClientTransport({ command, args: ['mcp'], cwd, env: Object.fromEntries(given), stderr: 'ignore' }),
  )
  try {
    const { content, isError } = await client.callTool({ name: 'list_items', arguments: { limit: 1 } })
    assert.match(JSON.stringify(content), /MCO1400000001/)
    assert.equal(isError, false)
    const { contents } = await client.readResource({ uri: 'mercadito://behaviour' })
    assert.match(JSON.stringify(contents), /# Behaviour/)
  } finally {
    await client.close()
  }
}
