import type { Command } from 'commander'
import type { Setting, Terminal } from '../../domains/shared/commands.ts'
import type { McpFlags } from '../../mcp/index.ts'
import { addExamples } from '../command.ts'
import { loadServer } from '../load_server.ts'
import type { RunningServer } from '../serve.ts'
import { adminToken, adminTokenFile, ca, createOption, url } from '../settings.ts'
import { handleSignals } from '../shutdown.ts'

const SERVER_FLAG: Setting = {
  ...url,
  defaultValue: undefined,
  description: 'use this running server, or this world of it; default: start one',
}

export function addMcp(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('mcp')
    .description('Serve the sandbox to AI agents: Model Context Protocol on stdio')
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
    const { serveMcp } = await import('../../mcp/index.ts')
    const flags = subcommand.opts<McpFlags>()
    const { onShutdown } = handleSignals(() => {})
    const { stdin: input, stdout: output } = process
    await serveMcp(flags, { terminal, input, output, onShutdown, startServer: () => startServer(flags) })
  })
}

async function startServer({ adminToken }: McpFlags): Promise<RunningServer> {
  const { listen } = await loadServer()
  return listen({
    host: '127.0.0.1',
    port: 0,
    scenario: 'demo',
    seed: 1,
    ...(adminToken !== undefined && { adminToken }),
    isGiven: () => false,
  })
}
