import type { Command } from 'commander'
import { examples } from '../command.ts'
import type { Terminal } from '../failure.ts'
import { json, table } from '../output.ts'
import { allSettings, environmentName, iso, longName, optionOf, type Setting } from '../settings.ts'

const FROM: Record<string, string> = { cli: 'flag', env: 'environment', default: 'default' }

export function addConfig(program: Command, terminal: Terminal): void {
  const placed = program
    .command('config')
    .description('The settings: what flags and environment say now')
    .allowExcessArguments(false)
    .option('--explain', 'also where each value came from, its twin in the environment, and what it means')
  for (const setting of allSettings) placed.addOption(optionOf(setting))
  examples(placed, ['config --explain', 'config --explain --port 0 --json'])
  placed.action(() => {
    const { explain, json: asJson } = placed.opts()
    const all = allSettings.map((setting) => told(placed, setting))
    const text = asJson
      ? json(explain ? all : Object.fromEntries(all.map(({ setting, value }) => [setting, value])))
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

function told(command: Command, setting: Setting) {
  const option = command.options.find(({ flags }) => flags === setting.flags)!
  const value = command.getOptionValue(option.attributeName()) ?? null
  return {
    setting: longName(setting.flags),
    value: setting.secret && value !== null ? '(set)' : inWords(setting, value),
    from: FROM[command.getOptionValueSource(option.attributeName()) ?? 'default']!,
    environment: environmentName(setting),
    about: setting.about,
  }
}

/** As a person writes it. */
function inWords({ flags }: Setting, value: unknown): unknown {
  if (value === null) return null
  if (flags.includes('<instant>')) return iso(value as number)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.join(',')
  return Object.entries(value)
    .map(([name, one]) => `${name}=${one}`)
    .join(',')
}
