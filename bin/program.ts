import { Command, CommanderError } from 'commander'
import about from '../package.json' with { type: 'json' }
import { addClientCommand } from './command.ts'
import { backupCommands } from './commands/backup.ts'
import { clockCommands } from './commands/clock.ts'
import { addCompletion } from './commands/completion.ts'
import { addConfig } from './commands/config.ts'
import { contactCommands } from './commands/contacts.ts'
import { creditCommands } from './commands/credits.ts'
import { addDoctor } from './commands/doctor.ts'
import { addExec } from './commands/exec.ts'
import { faultCommands } from './commands/faults.ts'
import { flexCommands } from './commands/flex.ts'
import { listenCommand } from './commands/listen.ts'
import { notificationCommands } from './commands/notifications.ts'
import { questionCommands } from './commands/questions.ts'
import { requestCommands } from './commands/requests.ts'
import { snapshotCommands } from './commands/snapshots.ts'
import { addStart } from './commands/start.ts'
import { tokenCommands } from './commands/tokens.ts'
import { addWait } from './commands/wait.ts'
import { worldCommands } from './commands/world.ts'
import { addOpenapi, worldFileCommands } from './commands/world_file.ts'
import { CliError, EXIT, ProgramExit, type Terminal, usageError } from './errors.ts'
import { printable } from './output.ts'

/** What stands together in the help. */
const HELP_GROUPS = {
  'Run a server:': 'start exec wait doctor config',
  'Worlds and their time:': 'world reset snapshot restore backup clock load export',
  'Make things happen:': 'token ask answer moderate view-phone click-message lead flex simulate import',
  'Test your program:': 'notify listen deliveries settle fault requests verify',
  'Know more:': 'openapi completion',
}

const CLIENT_COMMANDS = [
  ...worldCommands,
  ...snapshotCommands,
  ...backupCommands,
  ...clockCommands,
  ...tokenCommands,
  ...questionCommands,
  ...contactCommands,
  ...creditCommands,
  ...flexCommands,
  ...faultCommands,
  ...notificationCommands,
  listenCommand,
  ...requestCommands,
  ...worldFileCommands,
]

/** What families of commands are about. */
const PARENT_DESCRIPTIONS: Record<string, string> = {
  world: 'Marketplaces of their own, side by side',
  snapshot: 'Keep states of a world by name',
  backup: 'All worlds as files, to keep elsewhere',
  clock: 'What time it is in the world',
  lead: 'Leads of pre-approved credits',
  flex: 'Flex subscriptions, shipments and drivers',
  notify: 'Tell your program of every change',
  deliveries: 'What was told, and how that went',
  fault: 'Let calls go wrong',
  requests: 'What was called, and what it was answered',
}

/** Thrown where the flag is read: no command is to run then. */
const VERSION_REQUESTED = Symbol('version')

async function readVersions(): Promise<string> {
  const { sqliteVersion } = await import('../db/sqlite/version.ts')
  return `mercadito ${about.version} (Node ${process.versions.node}, SQLite ${sqliteVersion()})`
}

/** Runs what was written, `mercadito` left out; answers the exit code. What was wrong is one line on `err`. */
export async function main(argv: string[], terminal: Terminal): Promise<number> {
  try {
    await run(createProgram(terminal), argv, terminal)
    return EXIT.ok
  } catch (error) {
    if (error instanceof ProgramExit) return error.code
    const [line] = (error as Error).message.split('\n')
    // A token of a user has no place in logs, wherever it was written.
    terminal.err(`mercadito: ${printable(line).replace(/\b(APP_USR|TG|TEST)-[\w-]+/g, '$1-…')}\n`)
    return error instanceof CliError ? error.code : EXIT.failure
  }
}

/** All commands. */
function createProgram(terminal: Terminal): Command {
  const root = new Command('mercadito')
    .description('A sandbox server that speaks a seller marketplace’s API, with real state in embedded SQLite')
    .option('--version', 'print the versions of this program, Node and SQLite')
    .helpOption('-h, --help', 'explain')
    .helpCommand('help [command]', 'explain a command')
    .enablePositionalOptions()
    .exitOverride()
    // What is wrong is said once, in one line, at the end.
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError() {} })
  root.on('option:version', () => {
    throw VERSION_REQUESTED
  })
  addStart(root, terminal)
  addExec(root, terminal)
  addWait(root, terminal)
  for (const definition of CLIENT_COMMANDS) addClientCommand(root, terminal, PARENT_DESCRIPTIONS, definition)
  addOpenapi(root, terminal)
  addDoctor(root, terminal)
  addConfig(root, terminal)
  addCompletion(root, terminal)
  for (const [heading, names] of Object.entries(HELP_GROUPS))
    for (const name of names.split(' ')) root.commands.find((one) => one.name() === name)!.helpGroup(heading)
  return root
}

/** Throws a Failure with one line when it was not written as it must be. */
async function run(program: Command, argv: string[], terminal: Terminal): Promise<void> {
  normalizeEnvironment(program)
  const [first] = argv
  // Else it would be an argument too many of the default command.
  if (first && /^[^-]/.test(first) && ![...program.commands.map((known) => known.name()), 'help'].includes(first))
    throw usageError(`unknown command '${first}'; see \`mercadito --help\``)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error === VERSION_REQUESTED) return terminal.out(`${await readVersions()}\n`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0)
      throw toUsageError(error, ['mercadito', ...commandPath(program, argv), '--help'].join(' '))
  }
}

/** The words that name a command. */
function commandPath(command: Command, [word, ...rest]: string[]): string[] {
  const subcommand = command.commands.find((one) => one.name() === word)
  return subcommand ? [subcommand.name(), ...commandPath(subcommand, rest)] : []
}

function toUsageError({ code, message }: CommanderError, help: string): CliError {
  if (code === 'commander.help') return usageError('name what to do; the help above says what there is')
  const line = message
    .replace(/^error: /, '')
    // A value may be a token that landed in the wrong place.
    .replace(/^(unknown option '--?[\w-]+)=.*'/, "$1'")
    .replace(/^(too many arguments.*? but got \d+):.*$/, '$1')
    .replace(/\n/g, ' ')
  return usageError(`${line.replace(/\.$/, '')}; see \`${help}\``)
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
 * The environment twin of a flag without a value says yes or no; commander would take any text for yes. An empty twin
 * counts as none, as programs of CI set them.
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
