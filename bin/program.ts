import { Command, CommanderError } from 'commander'
import { printable, type Terminal } from '../domains/shared/commands.ts'
import { CliError, EXIT, ProgramExit, usageError } from '../lib/cli/errors.ts'
import about from '../package.json' with { type: 'json' }
import { applyTokenFile } from './admin_token.ts'
import { addClientCommand } from './command.ts'
import { resolveSubcommand } from './command_line.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommands } from './commands/backup.ts'
import { bundleCommand } from './commands/bundle.ts'
import { clockCommands } from './commands/clock.ts'
import { addCompare } from './commands/compare.ts'
import { addCompletion } from './commands/completion.ts'
import { addConfig } from './commands/config.ts'
import { consoleCommand } from './commands/console.ts'
import { diffCommand } from './commands/diff.ts'
import { addDoctor } from './commands/doctor.ts'
import { envCommand } from './commands/env.ts'
import { addExec } from './commands/exec.ts'
import { factsCommand } from './commands/facts.ts'
import { faultCommands } from './commands/faults.ts'
import { listenCommand } from './commands/listen.ts'
import { addMcp } from './commands/mcp.ts'
import { addNodes } from './commands/nodes.ts'
import { overviewCommand } from './commands/overview.ts'
import { addRecord } from './commands/record.ts'
import { addReplay } from './commands/replay.ts'
import { requestCommands } from './commands/requests.ts'
import { serverCommand } from './commands/server.ts'
import { simulateCommand } from './commands/simulate.ts'
import { snapshotCommands } from './commands/snapshots.ts'
import { addStart } from './commands/start.ts'
import { stubCommands } from './commands/stubs.ts'
import { undoCommand } from './commands/undo.ts'
import { verifyCommand } from './commands/verify.ts'
import { addWait } from './commands/wait.ts'
import { whyCommand } from './commands/why.ts'
import { worldCommands } from './commands/world.ts'
import { addOpenapi, worldFileCommands } from './commands/world_file.ts'
import { applyConfigFile } from './config_file.ts'
import { COMMANDS } from './domains.ts'

/** The order of the commands, with their headings in the help; `*`: commands of domains that are not named here. */
const PLACES = (
  [
    ['Run a server:', 'start exec env wait console mcp'],
    ['Worlds and their time:', 'overview world reset snapshot restore undo diff backup clock'],
    ['Make things happen:', 'token ask answer moderate view-phone click-message import contacts simulate lead flex *'],
    [
      'Test your program:',
      'fault stub notify deliveries inbox facts settle listen requests why verify audit bundle replay record compare',
    ],
    ['Worlds and their time:', 'load export'],
    ['Know more:', 'openapi'],
    ['Run a server:', 'doctor nodes server config'],
    ['Know more:', 'completion'],
  ] as const
).flatMap(([heading, names]) => names.split(' ').map((name) => ({ heading, name })))

const CLIENT_COMMANDS = [
  serverCommand,
  consoleCommand,
  envCommand,
  overviewCommand,
  ...worldCommands,
  ...snapshotCommands,
  undoCommand,
  diffCommand,
  ...backupCommands,
  ...clockCommands,
  ...COMMANDS.flatMap(({ commands }) => commands),
  simulateCommand,
  ...faultCommands,
  ...stubCommands,
  factsCommand,
  listenCommand,
  ...requestCommands,
  whyCommand,
  verifyCommand,
  auditCommand,
  ...worldFileCommands,
  bundleCommand,
]

/** Descriptions of the parents of two-word commands. */
const PARENTS: Record<string, string> = {
  world: 'Independent marketplaces of one server',
  snapshot: 'Named states of a world',
  backup: 'Backups of all worlds as files',
  clock: 'The time in the world',
  fault: 'Rules that make calls fail',
  stub: 'Answers to calls that the API does not have',
  requests: 'Recorded calls and their answers',
  ...Object.assign({}, ...COMMANDS.map(({ parents }) => parents)),
}

/** Thrown when --version is read: no command runs then. */
const VERSION_REQUESTED = Symbol('version')

async function readVersions(): Promise<string> {
  const { sqliteVersion } = await import('../db/sqlite/version.ts')
  return `mercadito ${about.version} (Node ${process.versions.node}, SQLite ${sqliteVersion()})`
}

/** Runs a command line without `mercadito`; resolves with the exit code. An error is one line on `err`. */
export async function main(argv: string[], terminal: Terminal): Promise<number> {
  try {
    await run(createProgram(terminal), argv, terminal)
    return EXIT.ok
  } catch (error) {
    if (error instanceof ProgramExit) return error.code
    const [line] = (error as Error).message.split('\n')
    // Tokens of users must not get into logs.
    terminal.err(`mercadito: ${printable(line).replace(/\b(APP_USR|TG|TEST)-[\w-]+/g, '$1-…')}\n`)
    return error instanceof CliError ? error.code : EXIT.failure
  }
}

/** All commands. */
export function createProgram(terminal: Terminal): Command {
  const root = new Command('mercadito')
    .description('A sandbox server that speaks a seller marketplace’s API, with real state in embedded SQLite')
    .option('--version', 'print the versions of this program, Node and SQLite')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print help for a command')
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
  addStart(root, terminal)
  addExec(root, terminal)
  addWait(root, terminal)
  addMcp(root, terminal)
  for (const definition of CLIENT_COMMANDS) addClientCommand(root, terminal, PARENTS, definition)
  addReplay(root, terminal)
  addRecord(root, terminal)
  addCompare(root, terminal)
  addOpenapi(root, terminal)
  addDoctor(root, terminal)
  addNodes(root, terminal)
  addConfig(root, terminal)
  addCompletion(root, terminal)
  arrangeCommands(root)
  return root
}

/** Orders the commands, and sets their headings in the help. */
function arrangeCommands(root: Command): void {
  const placeOf = (command: Command): number => {
    const place = PLACES.findIndex(({ name }) => name === command.name())
    return place === -1 ? PLACES.findIndex(({ name }) => name === '*') : place
  }
  for (const command of root.commands) command.helpGroup(PLACES[placeOf(command)]!.heading)
  const commands = root.commands as Command[]
  commands.sort((a, b) => placeOf(a) - placeOf(b))
}

/** Throws a CliError if the command line is not valid. */
async function run(program: Command, argv: string[], terminal: Terminal): Promise<void> {
  normalizeEnvironment(program)
  const words = resolveSubcommand(program, argv, CLIENT_COMMANDS)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (error === VERSION_REQUESTED) return terminal.out(`${await readVersions()}\n`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0)
      throw toUsageError(error, ['mercadito', ...commandPath(program, words), '--help'].join(' '))
  }
}

/** The names of the command that a command line runs. */
function commandPath(command: Command, [word, ...rest]: string[]): string[] {
  const subcommand = command.commands.find((one) => one.name() === word)
  return subcommand ? [subcommand.name(), ...commandPath(subcommand, rest)] : []
}

function toUsageError({ code, message }: CommanderError, help: string): CliError {
  if (code === 'commander.help') return usageError('a subcommand is missing; the help above lists them')
  const line = message
    .replace(/^error: /, '')
    // The value may be a token.
    .replace(/^(unknown option '--?[\w-]+)=.*'/, "$1'")
    .replace(/^(too many arguments.*? but got \d+):.*$/, '$1')
    .replace(/\n/g, ' ')
  const hint = code === 'commander.conflictingOption' ? 'leave out one of them' : `see \`${help}\``
  return usageError(`${line.replace(/\.$/, '')}; ${hint}`)
}

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
function normalizeEnvironment(command: Command): void {
  for (const { envVar, required, optional } of command.options) {
    const text = envVar === undefined ? undefined : process.env[envVar]
    if (text === undefined) continue
    const takesValue = required || optional
    const isSet = takesValue ? text !== '' : BOOLEAN_VALUES[text.toLowerCase()]
    if (isSet === undefined) throw usageError(`${envVar}: must be true or false`)
    if (!isSet) delete process.env[envVar!]
  }
  for (const subcommand of command.commands) normalizeEnvironment(subcommand)
}
