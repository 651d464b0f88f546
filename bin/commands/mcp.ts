import type { Command } from 'commander'
import type { Setting, Terminal } from '../../domains/shared/commands.ts'
import { addExamples } from '../command.ts'
import { adminToken, adminTokenFile, ca, createOption, url } from '../settings.ts'

const SERVER_FLAG: Setting = {
  ...url,
  defaultValue: undefined,
  description: 'use this running server, or this world of it; default: start one',
}

export function addMcp(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('mcp')
    .description('Serve the sandbox to AI agents: Model Context Protocol on standard input and output')
    .allowExcessArguments(false)
  for (const setting of [SERVER_FLAG, adminToken, adminTokenFile, ca]) subcommand.addOption(createOption(setting))
  addExamples(subcommand, ['mcp', 'mcp --url http://127.0.0.1:4400/w/2'])
  subcommand.addHelpText(
    'after',
    `
Without --url or MERCADITO_URL it starts a server with a temporary world on a free port, which ends with it.
Clients start this program themselves. Their configuration:

  {"mcpServers": {"mercadito": {"command": "npx", "args": ["mercadito", "mcp"]}}}`,
  )
  subcommand.action(async () => {
    // Lazy: other commands do not need the SDK.
    const { serveMcp } = await import('../mcp/serve.ts')
    await serveMcp(subcommand.opts(), terminal)
  })
}
