import type { Command } from 'commander'
import { type Flags, parseDuration, type Setting, type Terminal } from '../../domains/shared/commands.ts'
import type { Summary } from '../../intercept/index.ts'
import { EXIT, ProgramExit, usageError } from '../../lib/cli/errors.ts'
import { addExamples } from '../command.ts'
import { isConfigured } from '../config_file.ts'
import { formatJson } from '../output.ts'
import { EXPIRES_IN, openWorld, runProgram, SERVER_FLAG } from '../program_world.ts'
import {
  adminToken,
  adminTokenFile,
  ca,
  createOption,
  explain,
  JSON_FLAG,
  ownServer,
  worldSettings,
} from '../settings.ts'
import { worldVariables } from '../world_variables.ts'
import { AUDIT_FLAGS, beginReview, checkAuditFlags } from './exec_review.ts'

const EXPLAIN: Setting = {
  ...explain,
  description:
    'if the program fails, explain on standard error why its calls were refused; answers have the header, too',
}

const INTERCEPT: Setting = {
  flags: '--intercept',
  description:
    'answer calls to https://api.mercadolibre.com and https://auth.mercadolibre.*, and refuse all other hosts',
}

const ALLOW: Setting = {
  flags: '--allow <host>',
  description: 'with --intercept: let calls to this host pass, or to names below *.host; may be repeated',
  parse: (text, previous: string[] = []) => [...previous, ...text.split(',')],
}

const TIMEOUT: Setting = {
  flags: '--timeout <duration>',
  description: 'end the program after this, with exit code 124',
  parse: parseDuration,
}

export function addExec(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('exec')
    .description('Run a program with its own new world, and exit with its exit code')
    .argument('<command...>', 'the program and its arguments, preferably after --')
    .passThroughOptions()
  for (const setting of [...worldSettings, ...ownServer, SERVER_FLAG, adminToken, adminTokenFile, ca])
    subcommand.addOption(createOption(setting))
  for (const setting of [EXPIRES_IN, TIMEOUT, ...AUDIT_FLAGS, INTERCEPT, ALLOW])
    subcommand.addOption(createOption(setting, 'exec'))
  subcommand.addOption(createOption(EXPLAIN))
  subcommand.addOption(
    createOption({
      ...JSON_FLAG,
      description: 'print the exit code as JSON; the output of the program goes to standard error',
    }),
  )
  addExamples(subcommand, [
    'exec -- npm test',
    'exec --scenario empty --now 2026-03-02T12:00:00Z -- pytest -q',
    'exec --url http://127.0.0.1:4400 -- vendor/bin/phpunit',
    'exec --audit audit.xml --fail-on error -- npm test',
    'exec --intercept --allow registry.npmjs.org -- npm test',
    'exec --miss ask -- npm test',
  ])
  subcommand.addHelpText(
    'after',
    `
The environment of the program has MERCADITO_URL, MERCADITO_TOKEN and MERCADITO_SELLER_ID (the first seller),
MERCADITO_BUYER_TOKEN and MERCADITO_BUYER_ID (the first buyer of the same site), MERCADITO_CLIENT_ID, MERCADITO_CLIENT_SECRET and
MERCADITO_REDIRECT_URI (the application).
With --intercept it also has a proxy, and certificates to trust; nothing is installed on the machine. docs/guides/intercept.md
says which programs use them.`,
  )
  subcommand.action(async (command: string[]) => {
    const flags = subcommand.opts()
    checkAuditFlags(flags)
    const intercept = await prepareIntercept(flags)
    const misses = flags.miss && (await import('../misses.ts')).collectMisses(flags.miss)
    const settings = { ...flags, onMiss: misses?.onMiss }
    const { world, remove } = await openWorld(settings, (name) => isConfigured(subcommand, name), 'exec')
    let code: number
    let summary: Summary | undefined
    try {
      const review = await beginReview(world, flags, terminal)
      const env = { ...process.env, ...worldVariables(world, flags) }
      const interception = await intercept?.(env, world.url)
      try {
        code = await runWithin(flags, terminal, (signal) =>
          runProgram(command, { ...env, ...interception?.environment }, { toStandardError: flags.json, signal }),
        )
      } finally {
        summary = await interception?.close()
      }
      code = await review.end(code)
    } finally {
      await remove()
      if (summary) terminal.err(summary.text)
      if (misses) terminal.err(misses.text())
    }
    if (flags.json) {
      const intercepted = summary && { intercepted: summary.intercepted }
      const result = { url: world.url, world: world.world.id, exit_code: code, ...intercepted }
      terminal.out(`${formatJson({ ...result, ...(misses && { missed: misses.calls() }) })}\n`)
    }
    throw new ProgramExit(code)
  })
}

/** Ends a program after --timeout; the exit code is then that of `timeout`. */
async function runWithin(
  { timeout }: Flags,
  { err }: Terminal,
  run: (signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const stop = new AbortController()
  const timer = timeout === undefined ? undefined : setTimeout(() => stop.abort(), timeout)
  const code = await run(stop.signal).finally(() => clearTimeout(timer))
  if (!stop.signal.aborted) return code
  err(`mercadito: the program was ended after ${timeout / 1000} s (--timeout)\n`)
  return EXIT.timeout
}

/** Opens the proxy of --intercept. Throws a CliError if a host of --allow is not valid. */
async function prepareIntercept({ intercept, allow, ca }: Flags) {
  if (!intercept) {
    if (allow) throw usageError('--allow needs --intercept')
    return undefined
  }
  const { openInterception, parseAllowed } = await import('../../intercept/index.ts')
  const allowed = parseAllowed(allow ?? [])
  return (inherited: NodeJS.ProcessEnv, world: string) => openInterception(inherited, { world, ca, allowed })
}
