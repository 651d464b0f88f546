import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Command } from 'commander'
import type { WorldInfo } from '../../control/worlds/world_info.ts'
import {
  type Flags,
  parseDuration,
  path,
  printable,
  type Setting,
  type Terminal,
  toIso,
} from '../../domains/shared/commands.ts'
import type { Summary } from '../../intercept/index.ts'
import { createClient } from '../../lib/cli/client.ts'
import { CliError, ProgramExit, usageError } from '../../lib/cli/errors.ts'
import { addExamples } from '../command.ts'
import { isConfigured } from '../config_file.ts'
import { formatJson } from '../output.ts'
import {
  adminToken,
  adminTokenFile,
  ca,
  createOption,
  explain,
  JSON_FLAG,
  record,
  url,
  worldSettings,
} from '../settings.ts'
import { worldVariables } from '../world_variables.ts'
import { AUDIT_FLAGS, beginReview, checkAuditFlags } from './exec_review.ts'
import { creator, toSeconds } from './world.ts'
import { loadWorldFile } from './world_file.ts'

const SERVER_FLAG: Setting = {
  ...url,
  defaultValue: undefined,
  description: 'create the world on this running server instead, and delete it afterwards',
}

/** Only the own server of the command records. */
const RECORD_FLAG: Setting = { ...record, conflicts: ['url'] }

const EXPIRES_IN: Setting = {
  flags: '--expires-in <duration>',
  description: 'with --url: the server deletes the world after this, even if this program is killed',
  parse: parseDuration,
}

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

/** A world that exists while the program runs. */
interface TemporaryWorld {
  world: WorldInfo
  remove(): Promise<unknown>
}

export function addExec(program: Command, terminal: Terminal): void {
  const subcommand = program
    .command('exec')
    .description('Run a program with its own new world, and exit with its exit code')
    .argument('<command...>', 'the program and its arguments, preferably after --')
    .passThroughOptions()
  for (const setting of [...worldSettings, RECORD_FLAG, SERVER_FLAG, adminToken, adminTokenFile, ca])
    subcommand.addOption(createOption(setting))
  subcommand.addOption(createOption(EXPIRES_IN, 'exec').default(3_600_000, '1h'))
  for (const setting of [...AUDIT_FLAGS, INTERCEPT, ALLOW]) subcommand.addOption(createOption(setting, 'exec'))
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
  ])
  subcommand.addHelpText(
    'after',
    `
The environment of the program has MERCADITO_URL, MERCADITO_TOKEN and MERCADITO_SELLER_ID (the first seller),
MERCADITO_BUYER_TOKEN and MERCADITO_BUYER_ID (the first buyer of the same site), MERCADITO_CLIENT_ID and MERCADITO_CLIENT_SECRET.
With --intercept it also has a proxy, and certificates to trust; nothing is installed on the machine. docs/guides/intercept.md
says which programs use them.`,
  )
  subcommand.action(async (command: string[]) => {
    const flags = subcommand.opts()
    checkAuditFlags(flags)
    const intercept = await prepareIntercept(flags)
    const { world, remove } =
      flags.url === undefined
        ? await startOwnServer(flags, (name) => isConfigured(subcommand, name))
        : await createRemoteWorld(flags)
    let code: number
    let summary: Summary | undefined
    try {
      const review = await beginReview(world, flags, terminal)
      const env = { ...process.env, ...worldVariables(world, flags) }
      const interception = await intercept?.(env, world.url)
      try {
        code = await runProgram(command, { ...env, ...interception?.environment }, flags.json)
      } finally {
        summary = await interception?.close()
      }
      code = await review.end(code)
    } finally {
      await remove()
      if (summary) terminal.err(summary.text)
    }
    if (flags.json) {
      const intercepted = summary && { intercepted: summary.intercepted }
      terminal.out(`${formatJson({ url: world.url, world: world.world.id, exit_code: code, ...intercepted })}\n`)
    }
    throw new ProgramExit(code)
  })
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

/** A server in this process, on a free port. */
async function startOwnServer(flags: Flags, isGiven: (name: string) => boolean): Promise<TemporaryWorld> {
  const { listen } = await import('../serve.ts')
  const { info, close } = await listen({
    ...(flags as Parameters<typeof listen>[0]),
    host: '127.0.0.1',
    port: 0,
    isGiven,
  })
  return { world: info, remove: close }
}

/** A new world on a running server. */
async function createRemoteWorld({
  url,
  adminToken,
  ca,
  scenario,
  seed,
  now,
  assume,
  load,
  expiresIn,
}: Flags): Promise<TemporaryWorld> {
  const { server } = createClient(url, { adminToken, ca })
  const world: WorldInfo = await server.call('POST /worlds', {
    scenario,
    seed,
    assume,
    now: toIso(now),
    expires_in: toSeconds(expiresIn),
    created_by: `exec by ${creator()}`,
  })
  const remove = async () => {
    const endpoint = path`DELETE /worlds/${world.world.id}`
    const answer = await server.request(endpoint)
    // It may have expired.
    if (answer.status !== 404) server.requireSuccess(endpoint, answer)
  }
  if (load === undefined) return { world, remove }
  try {
    return { world: await loadWorldFile(createClient(world.url, { adminToken, ca }), load), remove }
  } catch (error) {
    await remove()
    throw error
  }
}

const FORWARDED_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a program; resolves with its exit code, as a shell reports it. */
function runProgram([file, ...args]: string[], env: NodeJS.ProcessEnv, toStandardError: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file!, args, {
      env,
      stdio: ['inherit', toStandardError ? 2 : 'inherit', 'inherit'],
      // On Windows npm and others are scripts, which need a shell.
      shell: process.platform === 'win32',
    })
    const forward = (signal: NodeJS.Signals) => {
      // A terminal sends Ctrl-C to all foreground processes itself.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of FORWARDED_SIGNALS) process.on(signal, forward)
    const done = () => {
      for (const signal of FORWARDED_SIGNALS) process.off(signal, forward)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      done()
      const [code, reason] = error.code === 'ENOENT' ? [127, 'was not found'] : [126, 'cannot be run']
      reject(new CliError(`${printable(file)} ${reason}; check that it is installed and in PATH`, code))
    })
    child.on('exit', (code, signal) => {
      done()
      resolve(code ?? 128 + constants.signals[signal!])
    })
  })
}
