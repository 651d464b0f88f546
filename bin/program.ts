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
import { addOpenapi, fileCommands } from './commands/files.ts'
import { flexCommands } from './commands/flex.ts'
import { listenCommand } from './commands/listen.ts'
import { notificationCommands } from './commands/notifications.ts'
import { peopleCommands } from './commands/people.ts'
import { questionCommands } from './commands/questions.ts'
import { requestCommands } from './commands/requests.ts'
import { snapshotCommands } from './commands/snapshots.ts'
import { addStart } from './commands/start.ts'
import { addWait } from './commands/wait.ts'
import { worldCommands } from './commands/world.ts'
import { badUsage, Ended, EXIT, Failure, type Terminal } from './failure.ts'
import { visible } from './output.ts'

/** What stands together in the help. */
const GROUPS = {
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
  ...peopleCommands,
  ...questionCommands,
  ...contactCommands,
  ...creditCommands,
  ...flexCommands,
  ...faultCommands,
  ...notificationCommands,
  listenCommand,
  ...requestCommands,
  ...fileCommands,
]

/** What families of commands are about. */
const FAMILIES: Record<string, string> = {
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
const VERSION_ASKED = Symbol('version')

async function versions(): Promise<string> {
  const { sqliteVersion } = await import('../db/version.ts')
  return `mercadito ${about.version} (Node ${process.versions.node}, SQLite ${sqliteVersion()})`
}

/** Runs what was written, `mercadito` left out; answers the exit code. What was wrong is one line on `err`. */
export async function main(argv: string[], terminal: Terminal): Promise<number> {
  try {
    await run(program(terminal), argv, terminal)
    return EXIT.ok
  } catch (error) {
    if (error instanceof Ended) return error.code
    const [line] = (error as Error).message.split('\n')
    // A token of a user has no place in logs, wherever it was written.
    terminal.err(`mercadito: ${visible(line).replace(/\b(APP_USR|TG|TEST)-[\w-]+/g, '$1-…')}\n`)
    return error instanceof Failure ? error.code : EXIT.failure
  }
}

/** All commands. */
function program(terminal: Terminal): Command {
  const program = new Command('mercadito')
    .description('A sandbox server that speaks a seller marketplace’s API, with real state in embedded SQLite')
    .option('--version', 'print the versions of this program, Node and SQLite')
    .helpOption('-h, --help', 'explain')
    .helpCommand('help [command]', 'explain a command')
    .enablePositionalOptions()
    .exitOverride()
    // What is wrong is said once, in one line, at the end.
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err, outputError() {} })
  program.on('option:version', () => {
    throw VERSION_ASKED
  })
  addStart(program, terminal)
  addExec(program, terminal)
  addWait(program, terminal)
  for (const told of CLIENT_COMMANDS) addClientCommand(program, terminal, FAMILIES, told)
  addOpenapi(program, terminal)
  addDoctor(program, terminal)
  addConfig(program, terminal)
  addCompletion(program, terminal)
  for (const [heading, names] of Object.entries(GROUPS))
    for (const name of names.split(' ')) program.commands.find((one) => one.name() === name)!.helpGroup(heading)
  return program
}

/** Throws a Failure with one line when it was not written as it must be. */
async function run(program: Command, argv: string[], terminal: Terminal): Promise<void> {
  readSwitches(program)
  const [first] = argv
  // Else it would be an argument too many of the default command.
  if (first && /^[^-]/.test(first) && ![...program.commands.map((known) => known.name()), 'help'].includes(first))
    throw badUsage(`unknown command '${first}'; see \`mercadito --help\``)
  try {
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error === VERSION_ASKED) return terminal.out(`${await versions()}\n`)
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode !== 0) throw asFailure(error, ['mercadito', ...namedBy(program, argv), '--help'].join(' '))
  }
}

/** The words that name a command. */
function namedBy(command: Command, [word, ...rest]: string[]): string[] {
  const below = command.commands.find((one) => one.name() === word)
  return below ? [below.name(), ...namedBy(below, rest)] : []
}

function asFailure({ code, message }: CommanderError, help: string): Failure {
  if (code === 'commander.help') return badUsage('name what to do; the help above says what there is')
  const line = message
    .replace(/^error: /, '')
    // A value may be a token that landed in the wrong place.
    .replace(/^(unknown option '--?[\w-]+)=.*'/, "$1'")
    .replace(/^(too many arguments.*? but got \d+):.*$/, '$1')
    .replace(/\n/g, ' ')
  return badUsage(`${line.replace(/\.$/, '')}; see \`${help}\``)
}

const ON_OR_OFF: Record<string, boolean> = {
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
function readSwitches(command: Command): void {
  for (const { envVar, required, optional } of command.options) {
    const text = envVar === undefined ? undefined : process.env[envVar]
    if (text === undefined) continue
    const takesValue = required || optional
    const on = takesValue ? text !== '' : ON_OR_OFF[text.toLowerCase()]
    if (on === undefined) throw badUsage(`${envVar}: must be true or false`)
    if (!on) delete process.env[envVar!]
  }
  for (const below of command.commands) readSwitches(below)
}
