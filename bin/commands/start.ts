import type { Command } from 'commander'
import type { Setting, Terminal } from '../../domains/shared/commands.ts'
import { isConfigured } from '../config_file.ts'
import { loadServer } from '../load_server.ts'
import { settingValue } from '../setting_values.ts'
import { createOption, JSON_FLAG, startSettings } from '../settings.ts'

const EXAMPLES = [
  { line: 'start', meaning: 'a populated marketplace on http://127.0.0.1:4400' },
  { line: 'start --data ./market', meaning: 'the same, stored in ./market' },
  {
    line: 'start --port 0 --scenario empty --now 2026-03-02T12:00:00Z',
    meaning: 'an empty one on a free port, with the same answers in every run',
  },
]
const MEANING_COLUMN = 48
const MORE_HELP = `
Every flag may be set in mercadito.json, or in the member mercadito of package.json.

Examples:
${EXAMPLES.map(formatExample).join('\n')}`

function formatExample({ line, meaning }: (typeof EXAMPLES)[0]): string {
  const command = `  $ mercadito ${line}`
  const separator = command.length < MEANING_COLUMN ? '' : `\n${' '.repeat(MEANING_COLUMN)}`
  return `${command.padEnd(MEANING_COLUMN)}${separator}${meaning}`
}

const SOURCES = { cli: 'flag', env: 'environment', config: 'file', file: 'file', default: 'default' } as const

/** A setting as `GET /server` answers it. */
function startSetting(command: Command, setting: Setting) {
  const { source, ...rest } = settingValue(command, setting)
  return { ...rest, source: SOURCES[source] }
}

export function addStart(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('start', { isDefault: true })
    .description('Start a server; the default command')
    .allowExcessArguments(false)
    .addHelpText('after', MORE_HELP)
  for (const setting of startSettings) subcommand.addOption(createOption(setting))
  subcommand.addOption(createOption({ ...JSON_FLAG, description: 'the same as --ready-json' }))
  subcommand.action(async () => {
    const flags = subcommand.opts()
    // Lazy: commands that only call a server do not need it.
    const { serve } = await loadServer()
    await serve(
      {
        ...(flags as Parameters<typeof serve>[0]),
        readyJson: flags.readyJson || flags.json,
        settings: startSettings.map((setting) => startSetting(subcommand, setting)),
        isGiven: (name) => isConfigured(subcommand, name),
      },
      terminal,
    )
  })
}
