import assert from 'node:assert/strict'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

/** Uses `mcp` of a program as an agent does: a tool, resources that the build wrote, a prompt. Throws if it does not work. */
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
    for (const [name, heading] of [
      ['behaviour', /# Behaviour/],
      ['spec/questions', /# Rules/],
    ] as const) {
      const { contents } = await client.readResource({ uri: `mercadito://${name}` })
      assert.match(JSON.stringify(contents), heading)
    }
    const { messages } = await client.getPrompt({ name: 'write_client', arguments: { language: 'Go' } })
    assert.match(JSON.stringify(messages), /Write a client of the seller API in Go\./)
  } finally {
    await client.close()
  }
}
