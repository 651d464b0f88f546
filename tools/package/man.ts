import type { Command, Option } from 'commander'
import { examplesOf } from '../../bin/command.ts'
import { callOptions } from '../../bin/settings.ts'
import { EXIT } from '../../lib/cli/errors.ts'
import about from '../../package.json' with { type: 'json' }

/** What the exit codes mean. */
const EXIT_MEANINGS: Record<keyof typeof EXIT, string> = {
  ok: 'success',
  failure: 'failed: the server returned an error, or no server answers',
  usage: 'wrong usage, also a wrong value in the environment or in mercadito.json',
  unverified: 'verify found other calls than expected',
  addressUnavailable: 'start: the port or address cannot be used',
  folderUnusable: 'start: the data folder cannot be created, read or written',
  inUse: 'start: another process uses the data folder',
  newerVersion: 'start: the data folder is from a newer version',
  damagedFile: 'start: a file in the data folder is damaged',
  tls: 'start: the certificate or its key cannot be used',
  databaseUnusable: 'start: the database cannot be used',
  timeout: 'exec --timeout ended the program',
}

const COMMON_NAMES = new Set(callOptions.map(({ long }) => long))

/** The manual page of all commands, for `man mercadito`. */
export function manPage(program: Command): string {
  const groups = Map.groupBy(program.commands, (command) => command.helpGroup())
  return `${[
    `.TH MERCADITO 1 "" "mercadito ${about.version}" "User Commands"`,
    // Neither hyphenated nor justified.
    '.nh',
    '.ad l',
    '.SH NAME',
    text(`mercadito - ${lowerFirst(program.description())}`),
    '.SH SYNOPSIS',
    '.B mercadito',
    '.RI [ command ]',
    '.RI [ flags ]',
    '.SH DESCRIPTION',
    text('Without a command, mercadito starts a server. The other commands control a running one.'),
    '.SH COMMANDS',
    ...[...groups].flatMap(([heading, commands]) => [
      '.PP',
      `.B ${text(heading)}`,
      ...commands.flatMap((command) => commandEntry(command, [])),
    ]),
    '.SH EXAMPLES',
    ...[...groups.values()].flat().flatMap(exampleEntries),
    '.SH callOptions FLAGS',
    text('Commands that call a server also have these flags.'),
    ...callOptions.flatMap(flagEntry),
    '.SH ENVIRONMENT',
    text(
      'Every flag has an environment variable, such as MERCADITO_PORT for --port of start, and MERCADITO_STATUS_WAIT_TIMEOUT for status wait --timeout.',
    ),
    '.SH FILES',
    '.TP',
    '.I mercadito.json',
    text(
      'settings of a project by the names of the flags, below flags and environment; without this file, the member mercadito of package.json',
    ),
    '.SH EXIT STATUS',
    ...Object.entries(EXIT).flatMap(([name, code]) => [
      '.TP',
      `.B ${code}`,
      text(EXIT_MEANINGS[name as keyof typeof EXIT]),
    ]),
  ].join('\n')}\n`
}

function commandEntry(command: Command, parents: string[]): string[] {
  const names = [...parents, command.name()]
  if (command.commands.length > 0) return command.commands.flatMap((one) => commandEntry(one, names))
  const help = command.createHelp()
  const callsServer = command.options.some(({ long }) => long === '--url')
  const flags = help
    .visibleOptions(command)
    .filter(({ long }) => long !== '--help' && !(callsServer && COMMON_NAMES.has(long!)))
  const args = command.registeredArguments.map((argument) => {
    const shown = `${argument.name()}${argument.variadic ? '...' : ''}`
    return argument.required ? `<${shown}>` : `[${shown}]`
  })
  return [
    `.SS "${text([...names, ...args].join(' '))}"`,
    text(`${command.description()}.`),
    ...help.visibleArguments(command).flatMap((one) => ['.TP', `.I ${text(one.name())}`, text(one.description)]),
    ...flags.flatMap(flagEntry),
  ]
}

/** All examples that say what they do, else the first one of the command. */
function exampleEntries(command: Command): string[] {
  if (command.commands.length > 0) return command.commands.flatMap(exampleEntries)
  return examplesOf(command)
    .filter(({ meaning }, n) => n === 0 || meaning !== undefined)
    .flatMap(({ line, meaning = lowerFirst(command.description()) }) => [
      '.TP',
      `.B "${text(`mercadito ${line}`)}"`,
      text(meaning),
    ])
}

function flagEntry({
  flags,
  description,
  defaultValue,
  defaultValueDescription,
  envVar,
  argChoices,
}: Option): string[] {
  const notes = [
    ...(argChoices ? [`one of ${argChoices.join(', ')}`] : []),
    ...(defaultValue === undefined ? [] : [`default: ${defaultValueDescription ?? defaultValue}`]),
    ...(envVar === undefined ? [] : [envVar]),
  ]
  return ['.TP', `.B "${text(flags)}"`, text(notes.length === 0 ? description : `${description} (${notes.join('; ')})`)]
}

const lowerFirst = (words: string) => words[0]!.toLowerCase() + words.slice(1)

/** One line of text in roff: backslashes, hyphens and leading dots are characters, others than ASCII have numbers. */
const text = (line: string): string =>
  line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&')
    .replace(
      /[^\u0000-\u007f]/g,
      (character) => `\\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`,
    )
