import type { Command } from 'commander'
import type { ClientCommand } from '../domains/shared/commands.ts'
import { nearest } from '../http/errors/suggestions.ts'
import { usageError } from '../lib/cli/errors.ts'

/** Names of version 0.1.0 that are no subcommand of today, and what they are now. */
const OLD_NAMES: Record<string, string> = {
  ...{ notify: 'webhooks', deliveries: 'webhooks list', facts: 'world changes', bundle: 'requests save' },
  ...{ record: 'capture', overview: 'status', server: 'status', doctor: 'status check', config: 'status settings' },
  ...{ nodes: 'status cluster' },
}

/** A command line with `--url` behind the command, where commands expect it. */
function moveUrl(argv: string[]): string[] {
  const [first, ...rest] = argv
  if (first?.startsWith('--url=')) return [...rest, first]
  const [address, ...others] = rest
  return first === '--url' && address !== undefined ? [...others, first, address] : argv
}

/**
 * A command line with the subcommand directly behind its parent: `snapshot --json uno` becomes `snapshot create --json uno`.
 * Throws a CliError for words that name no command.
 */
export function resolveSubcommand(program: Command, argv: string[], commands: ClientCommand[]): string[] {
  const words = moveUrl(argv)
  const [first, ...rest] = words
  if (first === undefined || first.startsWith('-')) return words
  if (first === 'help') {
    rejectUnknown(program, rest)
    return [...rest.filter((word) => word !== 'help'), '--help']
  }
  rejectUnknown(program, [first])
  const parent = findCommand(program, first)!
  const at = wordPosition(parent, rest)
  const word = rest[at]
  if (parent.commands.length === 0 || word === undefined) return words
  const others = rest.toSpliced(at, 1)
  if (word === 'help') {
    rejectUnknown(parent, others, first)
    return [first, ...others, '--help']
  }
  if (findCommand(parent, word)) return [first, word, ...others]
  const implied = commands.find(({ name, impliedBy }) => name.startsWith(`${first} `) && impliedBy?.test(word))
  if (!implied) rejectUnknown(parent, [word], first)
  // An address is no misspelled name.
  const similar = /^[\w-]+$/.test(word) ? nearest(word, namesOf(parent), 1) : undefined
  if (similar)
    throw usageError(
      `unknown command '${first} ${word}' (Did you mean ${similar}?); otherwise write \`mercadito ${implied!.name} ${word}\``,
    )
  return [...implied!.name.split(' '), ...rest]
}

const findCommand = (parent: Command, name: string) => parent.commands.find((one) => one.name() === name)
const namesOf = (parent: Command) => parent.commands.map((one) => one.name())

/** Throws a CliError for the first word that names no command of the one before. */
function rejectUnknown(parent: Command, [word, ...rest]: string[], path = ''): void {
  if (word === undefined || word.startsWith('-') || (path === '' && word === 'help')) return
  const found = findCommand(parent, word)
  const name = `${path} ${word}`.trimStart()
  if (found) {
    if (found.commands.length > 0) rejectUnknown(found, rest, name)
    return
  }
  const renamed = path === '' ? (OLD_NAMES[word] ?? subcommandsNamed(parent, word)) : undefined
  if (renamed) throw usageError(`${word} is \`mercadito ${renamed}\``)
  const similar = nearest(word, namesOf(parent))
  if (similar) throw usageError(`unknown command '${name}' (Did you mean ${similar}?); see \`${helpCommand(path)}\``)
  const all = path === '' ? '' : `${path} has ${namesOf(parent).join(', ')}; `
  throw usageError(`unknown command '${name}'; ${all}see \`${helpCommand(path)}\``)
}

/** The commands with a subcommand of this name; undefined if it has many. */
function subcommandsNamed(program: Command, name: string): string | undefined {
  const found = program.commands
    .filter((parent) => findCommand(parent, name))
    .map((parent) => `${parent.name()} ${name}`)
  return found.length > 0 && found.length < 4 ? found.join('` or `mercadito ') : undefined
}

const helpCommand = (path: string) => ['mercadito', path, '--help'].filter(Boolean).join(' ')

/** The position of the first word that is neither a flag nor the value of one. */
function wordPosition(parent: Command, words: string[]): number {
  const options = parent.commands.flatMap((one) => one.options)
  for (let n = 0; n < words.length; n++) {
    const word = words[n]!
    if (word === '--') return n + 1
    if (!word.startsWith('-')) return n
    const option = options.find(({ long }) => long === word)
    if (option?.required || (option?.optional && words[n + 1]?.startsWith('-') === false)) n++
  }
  return words.length
}
