import type { Command } from 'commander'
import { type Setting, type Terminal, toIso } from '../../domains/shared/commands.ts'
import { addExamples } from '../command.ts'
import { readConfigFile, toText } from '../config_file.ts'
import { formatJson, formatTable } from '../output.ts'
import { allSettings, createOption, environmentName, longFlagName } from '../settings.ts'

export function addConfig(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('config')
    .description('Print the settings that flags, environment and mercadito.json give')
    .allowExcessArguments(false)
    .option('--explain', 'also print the source, the environment variable and the meaning of each')
  for (const setting of allSettings) subcommand.addOption(createOption(setting))
  addExamples(subcommand, ['config --explain', 'config --explain --port 0 --json'])
  subcommand.action(() => {
    const { explain, json: asJson } = subcommand.opts()
    const configFile = readConfigFile()?.file
    const sources = { cli: 'flag', env: 'environment', file: 'file', config: configFile, default: 'default' }
    const all = allSettings.map((setting) => settingEntry(subcommand, setting, sources))
    const text = asJson
      ? formatJson(explain ? all : Object.fromEntries(all.map(({ setting, value }) => [setting, value])))
      : explain
        ? formatTable(
            ['setting', 'value', 'from', 'environment', 'meaning'],
            all.map(({ setting, value, from, environment, about }) => [setting, value, from, environment, about]),
          )
        : formatTable(
            ['setting', 'value'],
            all.map(({ setting, value }) => [setting, value]),
          )
    terminal.out(`${text}\n`)
  })
}

function settingEntry(command: Command, setting: Setting, sources: Record<string, string | undefined>) {
  const option = command.options.find(({ flags }) => flags === setting.flags)!
  const value = command.getOptionValue(option.attributeName()) ?? null
  return {
    setting: longFlagName(setting.flags),
    value: setting.isSecret && value !== null ? '(set)' : present(setting, value),
    from: sources[command.getOptionValueSource(option.attributeName()) ?? 'default']!,
    environment: environmentName(setting),
    about: setting.description,
  }
}

/** A value as it is written on the command line; numbers, true, false and null stay. */
function present({ flags }: Setting, value: unknown): unknown {
  if (value !== null && flags.includes('<instant>')) return toIso(value as number)
  return typeof value === 'object' && value !== null ? toText(value) : value
}
