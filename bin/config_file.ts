import { readFileSync } from 'node:fs'
import { type Command, InvalidArgumentError, type Option } from 'commander'
import { nearest } from '../http/errors/suggestions.ts'
import { usageError } from '../lib/cli/errors.ts'
import { allSettings, environmentName, longFlagName } from './settings.ts'

/** The file with settings of a project, in the working folder. */
const FILE = 'mercadito.json'
const SETTING_NAMES = allSettings.map(({ flags }) => longFlagName(flags))

interface ConfigFile {
  file: string
  values: Record<string, unknown>
}

/** `mercadito.json`, else the member `mercadito` of `package.json`; undefined without both. Throws a CliError. */
export function readConfigFile(): ConfigFile | undefined {
  const own = readObject(FILE)
  if (own) return { file: FILE, values: own }
  const values = readObject('package.json')?.mercadito
  if (values === undefined) return undefined
  return { file: 'package.json: mercadito', values: requireObject('package.json: mercadito', values) }
}

function readObject(file: string): Record<string, unknown> | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw usageError(`cannot read ${file} (${code})`)
  }
  try {
    return requireObject(file, JSON.parse(text))
  } catch (error) {
    throw error instanceof SyntaxError ? usageError(`${file}: must be JSON`) : error
  }
}

function requireObject(file: string, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw usageError(`${file}: must be a JSON object`)
}

/** Sets the options of a command that neither flags nor the environment give. Throws a CliError. */
export function applyConfigFile(command: Command): void {
  const config = readConfigFile()
  if (!config) return
  const { file, values } = config
  for (const [name, value] of Object.entries(values)) {
    if (name === '$schema') continue
    if (!SETTING_NAMES.includes(name)) throw unknownSetting(file, name)
    // Flags of one command that have the name of a setting have another variable.
    const option = command.options.find(
      ({ envVar }) => envVar === environmentName({ flags: `--${name}`, description: '' }),
    )
    if (!option || isGiven(command, option.attributeName())) continue
    // A flag takes precedence over settings that it excludes.
    if (exclusions(command, option).some((excluded) => isGiven(command, excluded))) continue
    command.setOptionValueWithSource(option.attributeName(), parseValue(file, name, option, value), 'config')
  }
  rejectConflicts(command, file)
}

/** A flag takes precedence over the variables of settings that it excludes, too. `words`: the command line. */
export function dropExcludedVariables(command: Command, words: readonly string[]): void {
  const end = words.indexOf('--')
  const given = new Set(words.slice(0, end === -1 ? undefined : end).map((word) => word.split('=')[0]))
  const isFlagGiven = (attribute: string) =>
    command.options.some((option) => option.attributeName() === attribute && given.has(option.long!))
  for (const option of command.options)
    if (option.envVar && !given.has(option.long!) && exclusions(command, option).some(isFlagGiven))
      delete process.env[option.envVar]
}

/** Throws a CliError if the file has two settings that exclude each other, as commander does for flags. */
function rejectConflicts(command: Command, file: string): void {
  const configured = command.options.filter((option) => isSetByFile(command, option))
  for (const option of configured) {
    const other = configured.find((other) => conflictsOf(option).includes(other.attributeName()))
    if (other)
      throw usageError(
        `${file}: ${longFlagName(option.flags)} cannot be used with ${longFlagName(other.flags)}; remove one of them`,
      )
  }
}

const isSetByFile = (command: Command, option: Option): boolean => {
  const name = option.attributeName()
  return command.getOptionValueSource(name) === 'config' && command.getOptionValue(name) !== false
}

/** Whether a flag or its environment variable is given. */
const isGiven = (command: Command, attribute: string) =>
  ['cli', 'env'].includes(command.getOptionValueSource(attribute) ?? '')

/** Whether a setting is given, in the file too. */
export const isConfigured = (command: Command, attribute: string): boolean =>
  isGiven(command, attribute) || command.getOptionValueSource(attribute) === 'config'

/** The options that conflict with an option, as declared by either. */
const exclusions = (command: Command, option: Option): string[] => [
  ...conflictsOf(option),
  ...command.options
    .filter((other) => conflictsOf(other).includes(option.attributeName()))
    .map((o) => o.attributeName()),
]
const conflictsOf = (option: Option): string[] => (option as unknown as { conflictsWith: string[] }).conflictsWith

function parseValue(file: string, name: string, option: Option, value: unknown): unknown {
  if (!option.required) {
    if (typeof value === 'boolean') return value
    throw usageError(`${file}: ${name}: must be true or false`)
  }
  const text = toText(value)
  if (text === undefined) throw usageError(`${file}: ${name}: must be a string, a number, or a list of them`)
  try {
    return option.parseArg ? option.parseArg(text, undefined as never) : text
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error
    throw usageError(`${file}: ${name}: ${error.message.replace(/^It /, '').replace(/\.$/, '')}`)
  }
}

/** A value as it is written on the command line: `a,b` for a list, `name=value` for members. Undefined for others. */
export function toText(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object' || value === null) return undefined
  return Object.entries(value)
    .map(([name, one]) => `${name}=${one}`)
    .join(',')
}

function unknownSetting(file: string, name: string) {
  const similar = nearest(name, SETTING_NAMES)
  const suggestion = similar === undefined ? '; `mercadito status settings` lists them' : ` (Did you mean ${similar}?)`
  return usageError(`${file}: unknown setting ${name}${suggestion}`)
}
