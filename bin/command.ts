import { type Command, InvalidArgumentError } from 'commander'
import { type Client, createClient } from './client.ts'
import type { Terminal } from './errors.ts'
import { formatJson } from './output.ts'
import { callSettings, createOption, JSON_FLAG, type Setting } from './settings.ts'

/** What a person wrote. */
// biome-ignore lint/suspicious/noExplicitAny: each command knows the flags that it declares
export type Flags = Record<string, any>

export interface CommandContext {
  client: Client
  terminal: Terminal
  /** As written or as their reader made them; undefined where optional and left out. */
  // biome-ignore lint/suspicious/noExplicitAny: each command knows the arguments that it declares
  args: any[]
  flags: Flags
}

/** `[name, what it is, reader]`; the name as commander writes it: `<item>`, `[name]`, `<words...>`. */
export type Argument = [name: string, about: string, read?: (text: string) => unknown]

/** A command that calls a running server: data, so that each has the same flags, output and errors. */
// biome-ignore lint/suspicious/noExplicitAny: the answer's shape is between `run` and `show`
export interface ClientCommand<A = any> {
  /** One word, or a family and its member: `clock advance`. */
  name: string
  description: string
  args?: Argument[]
  flags?: Setting[]
  /** What stands behind `mercadito `, and what it does. */
  examples: string[]
  /** The member of its family that is meant when none is named. */
  isDefault?: true
  run(context: CommandContext): Promise<A>
  /** What a person reads; may be longer than a line. */
  format(answer: A, context: CommandContext): string
}

/** Lets `show` know what `run` answers. */
export const defineCommand = <A>(definition: ClientCommand<A>): ClientCommand => definition

/** What an answer without a body is as JSON. */
const EMPTY_ANSWER = { done: true }
/** What `run` answers when it has told all itself. */
export const ALREADY_PRINTED = Symbol('said')

/** The command of these words, its family made when it is the first of it. */
export function addSubcommand(
  program: Command,
  name: string,
  parentDescriptions: Record<string, string>,
  isDefault = false,
): Command {
  const [first, second] = name.split(' ') as [string, string | undefined]
  if (!second) return program.command(first)
  const parent =
    program.commands.find((known) => known.name() === first) ??
    program.command(first).description(parentDescriptions[first]!)
  if (isDefault) parent.addHelpText('after', `\n${second} is meant when none is named.`)
  return parent.command(second, { isDefault })
}

export function addClientCommand(
  program: Command,
  terminal: Terminal,
  parentDescriptions: Record<string, string>,
  definition: ClientCommand,
): void {
  const subcommand = addSubcommand(program, definition.name, parentDescriptions, definition.isDefault)
    .description(definition.description)
    .allowExcessArguments(false)
  for (const [name, about, read] of definition.args ?? []) {
    if (read) subcommand.argument(name, about, read)
    else subcommand.argument(name, about)
  }
  for (const flag of definition.flags ?? []) subcommand.addOption(createOption(flag, definition.name))
  for (const setting of [...callSettings, JSON_FLAG]) subcommand.addOption(createOption(setting))
  addExamples(subcommand, definition.examples)
  subcommand.action(async () => {
    const flags: Flags = subcommand.opts()
    const context: CommandContext = {
      client: createClient(flags.url, flags.adminToken),
      terminal,
      args: subcommand.processedArgs,
      flags,
    }
    const answer = await definition.run(context)
    if (answer === ALREADY_PRINTED) return
    const text = flags.json ? formatJson(answer ?? EMPTY_ANSWER) : definition.format(answer, context)
    if (text !== '') terminal.out(`${text}\n`)
  })
}

export function addExamples(subcommand: Command, lines: string[]): void {
  const heading = lines.length === 1 ? 'Example' : 'Examples'
  subcommand.addHelpText('after', `\n${heading}:\n${lines.map((line) => `  $ mercadito ${line}`).join('\n')}`)
}

/** A reader of arguments that takes one of these words. */
export const oneOf =
  (...choices: string[]) =>
  (text: string): string => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`)
    return text
  }

/** JSON as an argument or a flag's value. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}
