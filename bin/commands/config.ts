import type { Command } from 'commander'
import { addExamples } from '../command.ts'
import type { Terminal } from '../errors.ts'
import { formatJson, table } from '../output.ts'
import { allSettings, createOption, environmentName, longFlagName, type Setting, toIso } from '../settings.ts'

const SOURCES: Record<string, string> = { cli: 'flag', env: 'environment', default: 'default' }

export function addConfig(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('config')
    .description('The settings: what flags and environment say now')
    .allowExcessArguments(false)
    .option('--explain', 'also where each value came from, its twin in the environment, and what it means')
  for (const setting of allSettings) subcommand.addOption(createOption(setting))
  addExamples(subcommand, ['config --explain', 'config --explain --port 0 --json'])
  subcommand.action(() => {
    const { explain, json: asJson } = subcommand.opts()
    const all = allSettings.map((setting) => settingEntry(subcommand, setting))
    const text = asJson
      ? formatJson(explain ? all : Object.fromEntries(all.map(({ setting, value }) => [setting, value])))
      : explain
        ? table(
            ['setting', 'value', 'from', 'environment', 'meaning'],
            all.map(({ setting, value, from, environment, about }) => [setting, value, from, environment, about]),
          )
        : table(
            ['setting', 'value'],
            all.map(({ setting, value }) => [setting, value]),
          )
    terminal.out(`${text}\n`)
  })
}

function settingEntry(command: Command, setting: Setting) {
  const option = command.options.find(({ flags }) => flags === setting.flags)!
  const value = command.getOptionValue(option.attributeName()) ?? null
  return {
    setting: longFlagName(setting.flags),
    value: setting.isSecret && value !== null ? '(set)' : toText(setting, value),
    from: SOURCES[command.getOptionValueSource(option.attributeName()) ?? 'default']!,
    environment: environmentName(setting),
    about: setting.description,
  }
}

/** As a person writes it. */
function toText({ flags }: Setting, value: unknown): unknown {
  if (value === null) return null
  if (flags.includes('<instant>')) return toIso(value as number)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.join(',')
  return Object.entries(value)
    .map(([name, one]) => `${name}=${one}`)
    .join(',')
}
