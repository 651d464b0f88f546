import type { Command } from 'commander'
import {
  type Client,
  type ClientCommand,
  type CommandContext,
  type Flags,
  Nickname,
  type Output,
  type Setting,
  type Terminal,
} from '../domains/shared/commands.ts'
import { createClient, ServerError } from '../lib/cli/client.ts'
import { CliError, usageError } from '../lib/cli/errors.ts'
import { nameTyped } from './command_errors.ts'
import { withInput } from './input.ts'
import { formatJson, formatOutput } from './output.ts'
import { callOptions, createOption, JSON_FLAG, reportInvalid } from './settings.ts'

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
  for (const option of callOptions) subcommand.addOption(option)
  addExamples(subcommand, definition.examples)
  subcommand.action(async () => {
    const userAgent = `mercadito ${definition.name}`
    const client = createClient(subcommand.opts().url, { ...subcommand.opts(), userAgent })
    const flags: Flags = {}
    for (const [name, value] of Object.entries(subcommand.opts())) flags[name] = await idOf(client, value)
    const args: unknown[] = []
    for (const value of subcommand.processedArgs) args.push(await idOf(client, value))
    const context: CommandContext = {
      client,
      terminal,
      args,
      flags,
      sendFile: (file, send) => withInput(definition.name, file, send),
    }
    const answer = await definition.run(context).catch((error) => {
      throw error instanceof ServerError
        ? new CliError(nameTyped(error.message, definition, subcommand.args), error.code)
        : error
    })
    if (answer === ALREADY_PRINTED) return
    const text = flags.json ? formatJson(answer ?? EMPTY_ANSWER) : formatOutput(definition.format(answer, context))
    if (text !== '') terminal.out(`${text}\n`)
  })
}

/** A command that needs no server, or finds one itself. */
interface LocalCommand<Result> extends Pick<ClientCommand, 'name' | 'description' | 'args' | 'examples'> {
  /** Settings that several commands share, with their variables; `--json` is one. */
  settings?: Setting[]
  flags?: Setting[]
  /** Printed below the examples. */
  more?: string
  run(context: LocalContext): Promise<Result> | Result
  /** The output without --json. */
  format(result: Result, context: LocalContext): Output
  /** Called when the result is printed; may throw the exit code. */
  onPrinted?(result: Result): void
}
type LocalContext = Omit<CommandContext, 'client' | 'sendFile'> & { command: Command }

/** What adds a command to a program. */
export const localCommand =
  <Result>(definition: LocalCommand<Result>) =>
  (program: Command, terminal: Terminal): void => {
    const { name, description, args = [], examples, settings = [], flags = [], more } = definition
    const command = addSubcommand(program, definition).description(description).allowExcessArguments(false)
    for (const [argument, about, parse] of args)
      if (parse) command.argument(argument, about, reportInvalid(parse))
      else command.argument(argument, about)
    for (const flag of flags) command.addOption(createOption(flag, name))
    for (const setting of [...settings, JSON_FLAG]) command.addOption(createOption(setting))
    addExamples(command, examples)
    if (more !== undefined) command.addHelpText('after', `\n${more}`)
    command.action(async () => {
      const context = { terminal, args: command.processedArgs, flags: command.opts(), command }
      const result = await definition.run(context)
      terminal.out(`${context.flags.json ? formatJson(result) : formatOutput(definition.format(result, context))}\n`)
      definition.onPrinted?.(result)
    })
  }

/** The id of a user whose nickname was typed, in any case; other values as they are. Throws a CliError. */
async function idOf(client: Client, value: unknown): Promise<unknown> {
  if (!(value instanceof Nickname)) return value
  const { results } = await client.get('/users', { q: value.text, limit: 1000 })
  const named = (results as { id: number; nickname: string }[]).find(
    ({ nickname }) => nickname.toLowerCase() === value.text.toLowerCase(),
  )
  if (!named) throw usageError(`no user has the nickname ${value.text}; \`mercadito world show\` lists users`)
  return named.id
}

export function addExamples(subcommand: Command, lines: string[]): void {
  const heading = lines.length === 1 ? 'Example' : 'Examples'
  subcommand.addHelpText('after', `\n${heading}:\n${lines.map((line) => `  $ mercadito ${line}`).join('\n')}`)
}
