import { type Command, InvalidArgumentError } from 'commander'
import { type Client, clientOf } from './client.ts'
import type { Terminal } from './failure.ts'
import { json } from './output.ts'
import { callSettings, JSON_OUT, optionOf, type Setting } from './settings.ts'

/** What a person wrote. */
// biome-ignore lint/suspicious/noExplicitAny: each command knows the flags that it declares
export type Flags = Record<string, any>

export interface Asked {
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
  words: string
  about: string
  args?: Argument[]
  flags?: Setting[]
  /** What stands behind `mercadito `, and what it does. */
  examples: string[]
  /** The member of its family that is meant when none is named. */
  byDefault?: true
  run(asked: Asked): Promise<A>
  /** What a person reads; may be longer than a line. */
  show(answer: A, asked: Asked): string
}

/** Lets `show` know what `run` answers. */
export const command = <A>(given: ClientCommand<A>): ClientCommand => given

/** What an answer without a body is as JSON. */
const DONE = { done: true }
/** What `run` answers when it has told all itself. */
export const SAID = Symbol('said')

/** The command of these words, its family made when it is the first of it. */
export function place(program: Command, words: string, families: Record<string, string>, byDefault = false): Command {
  const [first, second] = words.split(' ') as [string, string | undefined]
  if (!second) return program.command(first)
  const family =
    program.commands.find((known) => known.name() === first) ?? program.command(first).description(families[first]!)
  if (byDefault) family.addHelpText('after', `\n${second} is meant when none is named.`)
  return family.command(second, { isDefault: byDefault })
}

export function addClientCommand(
  program: Command,
  terminal: Terminal,
  families: Record<string, string>,
  told: ClientCommand,
): void {
  const placed = place(program, told.words, families, told.byDefault)
    .description(told.about)
    .allowExcessArguments(false)
  for (const [name, about, read] of told.args ?? []) {
    if (read) placed.argument(name, about, read)
    else placed.argument(name, about)
  }
  for (const flag of told.flags ?? []) placed.addOption(optionOf(flag, told.words))
  for (const setting of [...callSettings, JSON_OUT]) placed.addOption(optionOf(setting))
  examples(placed, told.examples)
  placed.action(async () => {
    const flags: Flags = placed.opts()
    const asked: Asked = { client: clientOf(flags.url, flags.adminToken), terminal, args: placed.processedArgs, flags }
    const answer = await told.run(asked)
    if (answer === SAID) return
    const text = flags.json ? json(answer ?? DONE) : told.show(answer, asked)
    if (text !== '') terminal.out(`${text}\n`)
  })
}

export function examples(placed: Command, lines: string[]): void {
  const heading = lines.length === 1 ? 'Example' : 'Examples'
  placed.addHelpText('after', `\n${heading}:\n${lines.map((line) => `  $ mercadito ${line}`).join('\n')}`)
}

/** A reader of arguments that takes one of these words. */
export const oneOf =
  (...choices: string[]) =>
  (text: string): string => {
    if (!choices.includes(text)) throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`)
    return text
  }

/** JSON as an argument or a flag's value. */
export function jsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidArgumentError('It must be JSON.')
  }
}
