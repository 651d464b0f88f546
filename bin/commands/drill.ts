import { writeFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { parseDuration, printable, type Setting, type Terminal, table } from '../../domains/shared/commands.ts'
import { LANGUAGES, type Language } from '../../http/errors/checks.ts'
import { createClient } from '../../lib/cli/client.ts'
import { CliError, EXIT, ProgramExit, usageError } from '../../lib/cli/errors.ts'
import { addExamples, addSubcommand, localCommand } from '../command.ts'
import { isConfigured } from '../config_file.ts'
import { checkOutput, FORCE, replaceFile } from '../output.ts'
import { EXPIRES_IN, openWorld, runProgram, SERVER_FLAG } from '../program_world.ts'
import { formatVerdict, VERDICT_FORMATS } from '../reports/drill.ts'
import { adminToken, adminTokenFile, ca, createOption, worldSettings } from '../settings.ts'
import { worldVariables } from '../world_variables.ts'

const LANG: Setting = {
  flags: '--lang <language>',
  description: 'language of the texts',
  choices: LANGUAGES,
  defaultValue: 'en',
}
const RUN_FLAGS: Setting[] = [
  {
    flags: '--callback <url>',
    description: 'where the program receives notifications, such as http://127.0.0.1:3000/',
  },
  {
    flags: '--for <duration>',
    description: 'end the program after this, for example 30s; default: wait for its end',
    parse: parseDuration,
  },
  { flags: '--format <format>', description: 'of the verdict', choices: VERDICT_FORMATS, defaultValue: 'text' },
  { flags: '--output <file>', description: 'write the verdict to this file' },
  FORCE,
  LANG,
]

const addList = localCommand({
  name: 'drill list',
  description: 'List the drills, and what happens in each',
  settings: [LANG],
  examples: ['drill list', 'drill list --lang es'],
  async run({ flags: { lang } }) {
    const { DRILLS } = await import('../drills/drills.ts')
    return DRILLS.map(({ name, title, needsCallback = false }) => ({
      ...{ name, title: title[lang as Language], needsCallback },
    }))
  },
  format: (rows) =>
    table(
      ['NAME', 'WHAT HAPPENS', 'NEEDS'],
      rows.map((row) => [row.name, row.title, row.needsCallback ? '--callback' : '']),
    ),
})

export function addDrill(program: Command, terminal: Terminal): void {
  addList(program, terminal)
  const run = addSubcommand(program, { name: 'drill run' })
    .description(
      'Run a program while something goes wrong, and judge what it did: exit code 0 passed, 3 failed, 1 not seen',
    )
    .argument('<name>', 'the drill')
    .argument('<command...>', 'after --: the program and its arguments')
  for (const setting of [...worldSettings, SERVER_FLAG, adminToken, adminTokenFile, ca])
    run.addOption(createOption(setting))
  run.addOption(createOption(EXPIRES_IN, 'drill run'))
  for (const setting of RUN_FLAGS) run.addOption(createOption(setting))
  addExamples(run, [
    'drill run refresh-race -- node bot.js',
    'drill run duplicates --callback http://127.0.0.1:3000/ --for 20s -- python bot.py',
    'drill run expired-scroll --format junit --output drill.xml -- npm start',
  ])
  run.action(async (name: string, command: string[]) => {
    const flags = run.opts()
    const [{ DRILLS }, { drillWorld, judge }] = await Promise.all([
      import('../drills/drills.ts'),
      import('../drills/drill.ts'),
    ])
    const drill = DRILLS.find((one) => one.name === name)
    if (!drill) throw usageError(`${printable(name)} is no drill; one of ${DRILLS.map((one) => one.name).join(', ')}`)
    if (drill.needsCallback && flags.callback === undefined) throw usageError(`${name} needs --callback <url>`)
    if (flags.callback !== undefined && !URL.canParse(flags.callback))
      throw usageError('--callback must be an absolute URL, such as http://127.0.0.1:3000/')
    checkOutput(flags.output, flags.force)
    const { world, remove } = await openWorld(flags, (one) => isConfigured(run, one), 'drill')
    try {
      let isOver = false
      const stop = new AbortController()
      const at = drillWorld(world, createClient(world.url, flags), { callback: flags.callback, isOver: () => isOver })
      const env = { ...process.env, ...worldVariables(world, flags), ...(await drill.prepare?.(at)) }
      const timer = flags.for === undefined ? undefined : setTimeout(() => stop.abort(), flags.for)
      const ended = runProgram(command, env, { toStandardError: true, signal: stop.signal }).finally(() => {
        isOver = true
        clearTimeout(timer)
      })
      const acted = drill.act?.(at)
      acted?.catch(() => stop.abort())
      const code = await ended
      // What waits for the program ends with it.
      await acted
      const verdict = await judge(drill, at, code, flags.lang)
      const report = formatVerdict(verdict, flags.format)
      if (flags.output === undefined) terminal.out(report)
      else await replaceFile(flags.output, (tempFile) => writeFile(tempFile, report))
      if (verdict.verdict === 'failed') throw new ProgramExit(EXIT.unverified)
      if (verdict.verdict === 'unseen')
        throw new CliError('the program did not come to what the drill is about; does it use MERCADITO_URL?')
    } finally {
      await remove()
    }
  })
}
