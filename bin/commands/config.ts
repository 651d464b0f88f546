import { type Command, Option } from 'commander'
import type { Setting, Terminal } from '../../domains/shared/commands.ts'
import { addExamples, addSubcommand } from '../command.ts'
import { readConfigFile } from '../config_file.ts'
import { formatJson, formatTable } from '../output.ts'
import { settingValue } from '../setting_values.ts'
import { allSettings, createOption, explain as EXPLAIN, environmentName } from '../settings.ts'

export function addConfig(program: Command, terminal: Terminal): void {
  const subcommand = addSubcommand(program, { name: 'status settings' })
    .description('Print the settings that flags, environment and mercadito.json give')
    .allowExcessArguments(false)
    .option('--explain', 'also print the source, the environment variable and the meaning of each')
  // Its own --explain is another one: this setting has the environment and the file only.
  const other = new Option('--explain-answers', EXPLAIN.description).env(environmentName(EXPLAIN)).hideHelp()
  for (const setting of allSettings) subcommand.addOption(setting === EXPLAIN ? other : createOption(setting))
  addExamples(subcommand, ['status settings --explain', 'status settings --explain --port 0 --json'])
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
  const { name, value, source } = settingValue(command, setting)
  return {
    setting: name,
    value,
    from: sources[source]!,
    environment: environmentName(setting),
    about: setting.description,
  }
}
