import { Command, CommanderError } from 'commander'
import { printable, type Terminal } from '../domains/shared/commands.ts'
import { nearest } from '../http/errors/suggestions.ts'
import { CliError, EXIT, ProgramExit, usageError } from '../lib/cli/errors.ts'
import about from '../package.json' with { type: 'json' }
import { applyTokenFile } from './admin_token.ts'
import { addClientCommand } from './command.ts'
import { toUsageError } from './command_errors.ts'
import { resolveSubcommand } from './command_line.ts'
import { auditCommand, coverageCommand } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import { addCapture } from './commands/capture.ts'
import { changesCommand } from './commands/changes.ts'
import { clockCommands } from './commands/clock.ts'
import { addCluster } from './commands/cluster.ts'
import { addCompare } from './commands/compare.ts'
import { addCompletion } from './commands/completion.ts'
import { addConfig } from './commands/config.ts'
import { consoleCommand } from './commands/console.ts'
import { diffCommand } from './commands/diff.ts'
import { addDoctor } from './commands/doctor.ts'
import { addDrill } from './commands/drill.ts'
import { envCommand } from './commands/env.ts'
import { addExec } from './commands/exec.ts'
import { faultCommands } from './commands/faults.ts'
import { listenCommand } from './commands/listen.ts'
import { addMcp } from './commands/mcp.ts'
import { addReplay } from './commands/replay.ts'
import { requestCommands } from './commands/requests.ts'
import { saveCommand } from './commands/save_requests.ts'
import { addScan } from './commands/scan.ts'
import { simulateCommands } from './commands/simulate.ts'
import { snapshotCommands } from './commands/snapshots.ts'
import { addStart } from './commands/start.ts'
import { statusCommand } from './commands/status.ts'
import { stubCommands } from './commands/stubs.ts'
import { undoCommand } from './commands/undo.ts'
import { verifyCommand } from './commands/verify.ts'
import { addWait } from './commands/wait.ts'
import { whyCommand } from './commands/why.ts'
import { worldCommands } from './commands/world.ts'
import { worldFileCommands } from './commands/world_file.ts'
import { applyConfigFile, dropExcludedVariables } from './config_file.ts'
import { COMMANDS } from './domains.ts'

/** The commands, in the order of the help, and the descriptions of those that have subcommands; `*`: those of other domains. */
const GROUPS: Record<string, string> = {
  'Begin here:': 'exec start ask webhooks requests why clock reset',
  'See, change and keep the world:':
    'status console question buy order contacts lead flex * token simulate world snapshot undo',
  'Test your program, and keep servers:': 'fault stub drill capture compare mcp backup',
}
const PLACES = Object.entries(GROUPS).flatMap(([heading, names]) => names.split(' ').map((name) => ({ heading, name })))

const PARENTS: Record<string, string> = {
  requests: 'Recorded calls: list, show, verify, audit, save and replay them',
  clock: 'The time in the world: freeze, advance, set it',
  fault: 'Rules that make calls fail',
  drill: 'What goes wrong in production, as an exercise for a program',
  stub: 'Answers to calls that the API does not have',
  status: 'The world in numbers, the server, and whether it can run here',
  world: 'Worlds: list, create, load and export them; their users and applications',
  simulate: 'Traffic of buyers on the listings of the world: questions, contacts, sales',
  snapshot: 'Saved states of a world: create, restore, compare them',
  backup: 'Backups of all worlds as files',
  ...Object.assign({}, ...COMMANDS.map(({ parents }) => parents)),
}

const CLIENT_COMMANDS = [
  consoleCommand,
  statusCommand,
  ...worldCommands,
  ...worldFileCommands,
  envCommand,
  ...snapshotCommands,
  diffCommand,
  undoCommand,
  ...backupCommands,
  ...clockCommands,
  ...COMMANDS.flatMap(({ commands }) => commands),
  ...simulateCommands,
  ...faultCommands,
  ...stubCommands,
  changesCommand,
  listenCommand,
  ...requestCommands,
  verifyCommand,
  auditCommand,
  coverageCommand,
  saveCommand,
  whyCommand,
]

/** Commands that start a server. */
const SERVER_COMMANDS = new Map([
  ['start', addStart],
  ['exec', addExec],
])

const OTHER_COMMANDS = [
  ...SERVER_COMMANDS.values(),
  ...[addDrill, addWait, addDoctor, addConfig, addMcp],
  ...[addReplay, addCapture, addCompare, addCluster, addCompletion, addScan],
]

/** Thrown when --version is read: no command runs then. */
const VERSION_REQUESTED = Symbol('version')

async function readVersions(): Promise<string> {
  const { sqliteVersion } = await import('../db/sqlite/library.ts')
  return `mercadito ${about.version} (Node ${process.versions.node}, SQLite ${sqliteVersion()})`
}

/** Runs a command line without `mercadito`; resolves with the exit code. An error is one line on `err`. */
export async function main(argv: string[], terminal: Terminal): Promise<number> {
  try {
    await run(programFor(argv, terminal), argv, terminal)
    return EXIT.ok
  } catch (error) {
    if (error instanceof ProgramExit) return error.code
    const [line] = (error as Error).message.split('\n')
    // Tokens of users must not get into logs.
    terminal.err(`mercadito: ${printable(line).replace(/\b(APP_USR|TG|TEST)-[\w-]+/g, '$1-…')}\n`)
    return error instanceof CliError ? error.code : EXIT.failure
  }
}

/** The commands that a command line may mean; those of servers alone: the others would be a twentieth of a start. */
function programFor(argv: string[], terminal: Terminal): Command {
  const variables = new Set(VARIABLES_OF_PROGRAMS)
  const [first = '--'] = argv
  const add = SERVER_COMMANDS.get(first.startsWith('-') ? 'start' : first)
  if (add && !first.startsWith('--url') && !argv.some((word) => word === '-h' || word === '--help')) {
    const program = createRoot(terminal)
    add(program, terminal)
    normalizeEnvironment(program, variables)
    // A variable of another command may be wrong.
    if (unknownVariables(variables).length === 0) return program
  }
  const program = createProgram(terminal)
  normalizeEnvironment(program, variables)
  warnOfUnknown(variables, terminal)
  return program
}

/** All commands. */
export function createProgram(terminal: Terminal): Command {
  const root = createRoot(terminal)
  for (const [name, description] of Object.entries(PARENTS)) root.command(name).description(description)
  for (const definition of CLIENT_COMMANDS) addClientCommand(root, terminal, definition)
  for (const add of OTHER_COMMANDS) add(root, terminal)
  const commands = root.commands as Command[]
  commands.sort((a, b) => placeOf(a) - placeOf(b))
  root.helpInformation = () => helpOf(root)
  return root
}

function createRoot(terminal: Terminal): Command {
  const root = new Command('mercadito')
    .description('A sandbox server that speaks a seller marketplace’s API')
    .option('-v, --version', 'print the versions of this program, Node and SQLite')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .enablePositionalOptions()
    .exitOverride()
    .hook('preAction', (_root, command) => {
      applyConfigFile(command)
      // The config file may name the file of the token.
      applyTokenFile(command)
    })
    // `main` prints errors.
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError() {} })
  root.on('option:version', () => {
    throw VERSION_REQUESTED
  })
  return root
}

function placeOf(command: Command): number {
  const place = PLACES.findIndex(({ name }) => name === command.name())
  return place === -1 ? PLACES.findIndex(({ name }) => name === '*') : place
}

/** One screen: a line for each command. */
function helpOf(root: Command): string {
  const width = Math.max(...root.commands.map((command) => command.name().length))
  const lines = Object.keys(GROUPS).flatMap((heading) => [
    heading,
    ...root.commands
      .filter((command) => PLACES[placeOf(command)]!.heading === heading)
      .map((command) => `  ${command.name().padEnd(width)}  ${command.description()}`),
    '',
  ])
  return `Usage: mercadito [--url <address>] <command>, or mercadito --version

${root.description()}

${lines.join('\n')}
A command's flags and subcommands: mercadito <command> --help. Every flag has an
environment variable, such as MERCADITO_PORT for --port of start.
`
}

/** Throws a CliError if the command line is not valid. */
async function run(program: Command, argv: string[], terminal: Terminal): Promise<void> {
  const words = resolveSubcommand(program, argv, CLIENT_COMMANDS)
  const command = commandOf(program, words)
  // Without a subcommand, one of them runs.
  for (const one of [command, ...command.commands]) dropExcludedVariables(one, words)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error === VERSION_REQUESTED) return terminal.out(`${await readVersions()}\n`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw toUsageError(error, pathOf(command).slice(1))
  }
}

/** The command that a command line runs. */
function commandOf(command: Command, [word, ...rest]: string[]): Command {
  const subcommand = command.commands.find((one) => one.name() === word)
  return subcommand ? commandOf(subcommand, rest) : command
}

/** The names of a command and its parents. */
const pathOf = (command: Command): string[] => [...(command.parent ? pathOf(command.parent) : []), command.name()]

const BOOLEAN_VALUES: Record<string, boolean> = {
  '': false,
  0: false,
  false: false,
  no: false,
  1: true,
  true: true,
  yes: true,
}

/**
 * The environment variable of a flag without a value is true or false; commander would take any text for true. An empty
 * variable counts as unset, because CI systems define such.
 */
function normalizeEnvironment(command: Command, variables: Set<string>): void {
  for (const { envVar, required, optional } of command.options) {
    if (envVar !== undefined) variables.add(envVar)
    const text = envVar === undefined ? undefined : process.env[envVar]
    if (text === undefined) continue
    const takesValue = required || optional
    const isSet = takesValue ? text !== '' : BOOLEAN_VALUES[text.toLowerCase()]
    if (isSet === undefined) throw usageError(`${envVar}: must be true or false`)
    if (!isSet) delete process.env[envVar!]
  }
  for (const subcommand of command.commands) normalizeEnvironment(subcommand, variables)
}

const PREFIX = 'MERCADITO_'
/** What `exec` and `world env` set, the pages use, and the tests of the repository read. */
const VARIABLES_OF_PROGRAMS =
  'TOKEN SELLER_ID BUYER_TOKEN BUYER_ID CLIENT_ID CLIENT_SECRET REDIRECT_URI REFRESH_TOKEN TEST_DATABASE CHROMIUM REQUIRE_ALL'
    .split(' ')
    .map((name) => PREFIX + name)

const unknownVariables = (variables: Set<string>) =>
  Object.keys(process.env).filter((name) => name.startsWith(PREFIX) && !variables.has(name))

/** Warns of variables that no setting has: a misspelled one would be ignored without a word. */
function warnOfUnknown(variables: Set<string>, terminal: Terminal): void {
  for (const name of unknownVariables(variables)) {
    const similar = nearest(
      name.slice(PREFIX.length),
      [...variables].map((one) => one.slice(PREFIX.length)),
    )
    const hint = similar
      ? ` (Did you mean ${PREFIX}${similar}?)`
      : '; `mercadito status settings --explain` lists those of settings'
    terminal.err(`mercadito: warning: ${printable(name)} is not a variable of mercadito${hint}\n`)
  }
}
