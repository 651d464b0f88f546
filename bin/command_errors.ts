import type { CommanderError } from 'commander'
import type { ClientCommand } from '../domains/shared/commands.ts'
import { type CliError, usageError } from '../lib/cli/errors.ts'
import { longFlagName } from './settings.ts'

// Errors name what was typed: flags and values, neither placeholders such as `<folder>` nor members of the API.

/** An error of commander about the command of these names. */
export function toUsageError({ code, message }: CommanderError, path: readonly string[]): CliError {
  if (code === 'commander.help') return usageError('a subcommand is missing; the help above lists them')
  const line = message
    .replace(/^error: /, '')
    .replace(
      /^option '(--[\w-]+)[^']*' argument '(.*)' is invalid\. /s,
      (_, flag, value) => `${flag} ${quoted(value)}: `,
    )
    .replace(/^option '.*?' value '(.*)' from env '(\w+)' is invalid\. /s, '$2=$1: ')
    .replace(/^command-argument value '(.*)' is invalid for argument '.*?'\. /s, (_, value) => `${quoted(value)}: `)
    .replace(/(?<=: )(?:It )?(?=must|needs)|(?<=: )Allowed/, (word) => (word === 'Allowed' ? 'allowed' : ''))
    .replace(/^option '(--[\w-]+).*' argument missing/, '$1 needs a value')
    // The value may be a token.
    .replace(/^(unknown option '--?[\w-]+)=.*'/, "$1'")
    .replace(/^(too many arguments.*? but got \d+):.*$/, '$1')
    .replace(/\n/g, ' ')
  if (code === 'commander.conflictingOption')
    return usageError(
      `${line.replace(/(?:option|environment variable) '(--[\w-]+|\w+)[^']*'/g, '$1')}; leave out one of them`,
    )
  const [, negative] = /^unknown option '-(\d\S*)'$/.exec(line) ?? []
  if (negative !== undefined && path.join(' ') === 'clock advance')
    return usageError(`-${negative}: must not be negative; \`mercadito clock back ${negative}\` moves the clock back`)
  return usageError(`${line.replace(/\.$/, '')}; see \`${['mercadito', ...path, '--help'].join(' ')}\``)
}

const quoted = (value: string): string => (value === '' || /\s/.test(value) ? `'${value}'` : value)

/**
 * An error of the server with the flag or the argument that was typed in place of the members that the call has:
 * `date_created: must …` becomes `--at: must …`, and `item_id, user_id: …` becomes `--item, --user: …`.
 */
export function nameTyped(message: string, command: ClientCommand, operands: readonly string[]): string {
  const [place = ''] = /^[a-z_]\w*(?:[.[][\w.[\]]*)?(?:, [a-z_]\w*)*(?=: )/.exec(message) ?? []
  const members = place.split(', ')
  const typed = members.map((member) => findTyped(member.split(/[.[\]]+/).filter(Boolean), command, operands))
  if (place === '' || typed.includes(undefined)) return message
  const rest = message.slice(place.length)
  // `/backups/monday: /backups/monday already exists`.
  const [first = ''] = typed
  const isRepeated =
    (first.startsWith('/') && rest.split(/[ ;]/).includes(first)) || rest.endsWith(` ${first} not found`)
  return isRepeated ? rest.slice(2) : typed.join(', ') + rest
}

function findTyped(
  path: string[],
  { args = [], flags = [], members = {} }: ClientCommand,
  operands: readonly string[],
): string | undefined {
  const operandOf = (placeholder: string, element = 0): string => {
    const operand = operands[args.findIndex(([name]) => name === placeholder) + element]
    // An address may contain a password.
    return operand === undefined || operand.includes('://') ? placeholder : quoted(operand)
  }
  const given = new Map<string, string>([
    ...args.map(([name]): [string, string] => [/\w[\w-]*/.exec(name)![0], name]),
    ...flags.map((flag): [string, string] => [longFlagName(flag.flags), `--${longFlagName(flag.flags)}`]),
  ])
  // A part of the value follows: `--override limit_ms`.
  const nameFrom = (n: number, name: string) => {
    const rest = path.slice(n + 1)
    if (name.includes('...')) return operandOf(name, Number(rest[0] ?? 0))
    return [name.startsWith('--') ? name : operandOf(name), ...rest].join(' ')
  }
  const declared = path.findIndex((part) => Object.hasOwn(members, part))
  if (declared !== -1) return nameFrom(declared, members[path[declared]!]!)
  for (const [n, part] of path.entries()) {
    const found = given.get(part.replaceAll('_', '-')) ?? given.get(part.replace(/_id$/, ''))
    if (found !== undefined) return nameFrom(n, found)
  }
  return undefined
}
