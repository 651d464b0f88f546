import type { Command } from 'commander'
import type { ClientCommand, CommandContext, Flags, Terminal } from '../domains/shared/commands.ts'
import { createClient, ServerError } from '../lib/cli/client.ts'
import { CliError } from '../lib/cli/errors.ts'
import { withInput } from './input.ts'
import { formatJson, formatOutput } from './output.ts'
import { callSettings, createOption, JSON_FLAG, longFlagName, reportInvalid } from './settings.ts'

/** Printed with --json if the answer has no body. */
const EMPTY_ANSWER = { done: true }
/** The result of a `run` that has printed everything itself. */
export const ALREADY_PRINTED = Symbol('already printed')

/** Adds a command; of two words, below its parent, which is there. */
export function addSubcommand(
  program: Command,
  { name, isDefault, impliedBy, args = [] }: Pick<ClientCommand, 'name' | 'isDefault' | 'impliedBy' | 'args'>,
): Command {
  const [first, second] = name.split(' ') as [string, string | undefined]
  if (!second) return program.command(first)
  const parent = program.commands.find((known) => known.name() === first)!
  const usage = args.map(([argument]) => ` ${argument}`).join('')
  if (impliedBy) parent.addHelpText('after', `\nShort for \`${name}${usage}\`: \`${first}${usage}\`.`)
  if (isDefault) parent.addHelpText('after', `\nWithout a subcommand: ${second}.`)
  return parent.command(second, { isDefault: isDefault ?? false })
}

export function addClientCommand(program: Command, terminal: Terminal, definition: ClientCommand): void {
  const subcommand = addSubcommand(program, definition).description(definition.description).allowExcessArguments(false)
  for (const [name, description, parse] of definition.args ?? [])
    if (parse) subcommand.argument(name, description, reportInvalid(parse))
    else subcommand.argument(name, description)
  for (const flag of definition.flags ?? []) subcommand.addOption(createOption(flag, definition.name))
  for (const setting of [...callSettings, JSON_FLAG]) subcommand.addOption(createOption(setting))
  addExamples(subcommand, definition.examples)
  subcommand.action(async () => {
    const flags: Flags = subcommand.opts()
    const context: CommandContext = {
      client: createClient(flags.url, flags),
      terminal,
      args: subcommand.processedArgs,
      flags,
      sendFile: (file, send) => withInput(definition.name, file, send),
    }
    const answer = await definition.run(context).catch((error) => {
      throw error instanceof ServerError ? new CliError(nameTypedFlag(error.message, definition), error.code) : error
    })
    if (answer === ALREADY_PRINTED) return
    const text = flags.json ? formatJson(answer ?? EMPTY_ANSWER) : formatOutput(definition.format(answer, context))
    if (text !== '') terminal.out(`${text}\n`)
  })
}

/** The examples of commands, without `mercadito`, for the manual page. */
const examples = new WeakMap<Command, Example[]>()

interface Example {
  line: string
  /** What it does, if the description of the command does not say it. */
  meaning?: string
}

export const examplesOf = (command: Command): Example[] => examples.get(command) ?? []
export const setExamples = (command: Command, all: Example[]) => void examples.set(command, all)

export function addExamples(subcommand: Command, lines: string[]): void {
  setExamples(
    subcommand,
    lines.map((line) => ({ line })),
  )
  const heading = lines.length === 1 ? 'Example' : 'Examples'
  subcommand.addHelpText('after', `\n${heading}:\n${lines.map((line) => `  $ mercadito ${line}`).join('\n')}`)
}

/**
 * An error of the server with the flag or argument that was typed in place of the member that the call has:
 * `date_created: must …` becomes `--at: must …`.
 */
function nameTypedFlag(message: string, command: ClientCommand): string {
  const [place = '', member = ''] = /^([a-z_]\w*(?:[.[][\w.[\]]*)?): /.exec(message) ?? []
  const typed = findTyped(member.split(/[.[\]]+/).filter(Boolean), command)
  return typed === undefined ? message : `${typed}: ${message.slice(place.length)}`
}

function findTyped(path: string[], { args = [], flags = [], members = {} }: ClientCommand): string | undefined {
  const given = new Map<string, string>([
    ...args.map(([name]): [string, string] => [/\w[\w-]*/.exec(name)![0], name]),
    ...flags.map((flag): [string, string] => [longFlagName(flag.flags), `--${longFlagName(flag.flags)}`]),
  ])
  // A part of the value follows: `--override limit_ms`.
  const nameFrom = (n: number, name: string) => [name, path.slice(n + 1).join('.')].join(' ').trimEnd()
  const declared = path.findIndex((part) => Object.hasOwn(members, part))
  if (declared !== -1) return nameFrom(declared, members[path[declared]!]!)
  for (const [n, part] of path.entries()) {
    const found = given.get(part.replaceAll('_', '-')) ?? given.get(part.replace(/_id$/, ''))
    if (found !== undefined) return nameFrom(n, found)
  }
  return undefined
}
