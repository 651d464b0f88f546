import { Command, InvalidArgumentError, Option } from 'commander'
import { complaintAbout, isSwitch, type Switches } from '../db/switches.ts'
import { readInstant } from '../domains/shared/instants.ts'
import { SCENARIOS, SHIPPED_SEED } from '../scenarios/roster.ts'
import { type Flags, serve } from './serve.ts'

const program = new Command('mercadito')
  .description('A sandbox server that speaks a seller marketplace’s API, with real state in embedded SQLite')
  .allowExcessArguments(false)
  .addOption(new Option('--port <number>', 'port to listen on; 0 takes a free one').default(4400).argParser(port))
  .addOption(new Option('--host <name>', 'address to listen on').default('127.0.0.1'))
  .addOption(new Option('--data <folder>', 'keep the world in this folder; without it nothing is kept'))
  .addOption(new Option('--scenario <name>', 'what a new world holds').choices(SCENARIOS).default('demo'))
  .addOption(
    new Option('--seed <number>', 'makes another world of the same kind').default(SHIPPED_SEED).argParser(seed),
  )
  .addOption(new Option('--now <instant>', 'freeze the world’s clock at this ISO 8601 instant').argParser(now))
  .addOption(
    new Option('--load <file>', 'lay a new world out from this world file').conflicts(['scenario', 'seed', 'now']),
  )
  .addOption(new Option('--assume <name=value>', 'what new worlds assume; may stand more than once').argParser(assume))
  .addOption(new Option('--ready-json', 'print one JSON line when ready, and nothing else on standard output'))
  .addHelpText(
    'after',
    `
Examples:
  $ npm start                                   a populated marketplace on http://127.0.0.1:4400
  $ npm start -- --data ./market                the same, kept in ./market
  $ npm start -- --port 0 --scenario empty --now 2026-03-02T12:00:00Z
                                                an empty one on a free port, the same bytes at every run`,
  )
  .action(async (flags: Omit<Flags, 'given'>, command: Command) => {
    const given = (name: string) => command.getOptionValueSource(name) === 'cli'
    await serve({ ...flags, given })
  })

function port(text: string): number {
  return integer(text, 65_535)
}

function seed(text: string): number {
  return integer(text, Number.MAX_SAFE_INTEGER)
}

function integer(text: string, maximum: number): number {
  const n = Number(text)
  if (!/^\d+$/.test(text) || n > maximum) throw new InvalidArgumentError(`It must be an integer from 0 to ${maximum}.`)
  return n
}

function now(text: string): number {
  const ms = readInstant(text)
  if (ms === undefined)
    throw new InvalidArgumentError('It must be an ISO 8601 instant, for example 2026-03-02T12:00:00Z.')
  return ms
}

function assume(text: string, before: Partial<Switches> = {}): Partial<Switches> {
  const [, name = text, value] = /^([^=]*)=(.*)$/.exec(text) ?? []
  const complaint = complaintAbout(name, value)
  if (complaint) throw new InvalidArgumentError(`${isSwitch(name) ? `${name}: it` : 'The name'} ${complaint}.`)
  return { ...before, [name]: value }
}

try {
  await program.parseAsync()
} catch (error) {
  process.stderr.write(`mercadito: ${(error as Error).message}\n`)
  process.exitCode = 1
}
