import type { Command } from 'commander'
import { type Setting, toIso } from '../domains/shared/commands.ts'
import { toText } from './config_file.ts'
import { environmentName, longFlagName } from './settings.ts'

/** The value of a setting of a command, as it is written on the command line, and where it comes from. */
interface SettingValue {
  name: string
  /** Numbers, true and false stay; null: not set; `(set)` for a secret. */
  value: string | number | boolean | null
  /** `config`: the file of the project; `file`: a file that a flag names. */
  source: 'cli' | 'env' | 'config' | 'file' | 'default'
}

export function settingValue(command: Command, setting: Setting): SettingValue {
  const option = command.options.find(({ envVar }) => envVar === environmentName(setting))!
  const value = command.getOptionValue(option.attributeName()) ?? null
  return {
    name: longFlagName(setting.flags),
    value: setting.isSecret && value !== null ? '(set)' : present(setting, value),
    source: (command.getOptionValueSource(option.attributeName()) ?? 'default') as SettingValue['source'],
  }
}

function present({ flags }: Setting, value: unknown): SettingValue['value'] {
  if (value !== null && flags.includes('<instant>')) return toIso(value as number) ?? null
  // A number without a unit would be rejected.
  if (flags.includes('<duration>') && typeof value === 'number') return `${value / 1000}s`
  return (typeof value === 'object' && value !== null ? toText(value) : value) as SettingValue['value']
}
