import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Command } from 'commander'
import type { Ready } from '../../domains/sandbox/ready.ts'
import { clientOf, path } from '../client.ts'
import { examples, type Flags } from '../command.ts'
import { Ended, Failure, type Terminal } from '../failure.ts'
import { json, visible } from '../output.ts'
import { adminToken, iso, JSON_OUT, optionOf, type Setting, url, worldSettings } from '../settings.ts'
import { loaded } from './files.ts'

const ON_SERVER: Setting = {
  ...url,
  fallback: undefined,
  about: 'make the world on this running server instead, and remove it after',
}

/** A world for a while. */
interface Stay {
  world: Ready
  end(): Promise<unknown>
}

export function addExec(program: Command, terminal: Terminal): void {
  const placed = program
    .command('exec')
    .description('Run a program with a fresh world of its own, and end with its exit code')
    .argument('<command...>', 'the program and its arguments, best behind --')
    .passThroughOptions()
  for (const setting of [...worldSettings, ON_SERVER, adminToken]) placed.addOption(optionOf(setting))
  placed.addOption(
    optionOf({
      ...JSON_OUT,
      about: 'the program’s output goes to standard error; how it ended, as JSON, to standard output',
    }),
  )
  examples(placed, [
    'exec -- npm test',
    'exec --scenario empty --now 2026-03-02T12:00:00Z -- pytest -q',
    'exec --url http://127.0.0.1:4400 -- vendor/bin/phpunit',
  ])
  placed.addHelpText(
    'after',
    `
The program finds in its environment MERCADITO_URL, MERCADITO_TOKEN and MERCADITO_SELLER_ID (the first seller),
MERCADITO_BUYER_TOKEN and MERCADITO_BUYER_ID (the first buyer of the same site), MERCADITO_CLIENT_ID and MERCADITO_CLIENT_SECRET.`,
  )
  placed.action(async (command: string[]) => {
    const flags = placed.opts()
    const given = (name: string) => ['cli', 'env'].includes(placed.getOptionValueSource(name) ?? '')
    const { world, end } = flags.url === undefined ? await ownServer(flags, given) : await worldOn(flags)
    let code: number
    try {
      code = await ended(command, environment(world, flags.adminToken), flags.json)
    } finally {
      await end()
    }
    if (flags.json) terminal.out(`${json({ url: world.url, world: world.world.id, exit_code: code })}\n`)
    throw new Ended(code)
  })
}

/** A server of this process, on a free port, with a world that nobody else knows. */
async function ownServer(flags: Flags, given: (name: string) => boolean): Promise<Stay> {
  const { listen } = await import('../serve.ts')
  const { told, close } = await listen({
    ...(flags as Parameters<typeof listen>[0]),
    host: '127.0.0.1',
    port: 0,
    given,
  })
  return { world: told, end: close }
}

/** A new world on a server that runs elsewhere. */
async function worldOn({ url, adminToken, scenario, seed, now, assume, load }: Flags): Promise<Stay> {
  const { server } = clientOf(url, adminToken)
  const made: Ready = await server.call('POST /worlds', { scenario, seed, assume, now: iso(now) })
  const end = () => server.call(path`DELETE /worlds/${made.world.id}`)
  if (load === undefined) return { world: made, end }
  try {
    return { world: await loaded(clientOf(made.url, adminToken), load), end }
  } catch (error) {
    await end()
    throw error
  }
}

/** What the program needs to begin: where the world is, and who it can be there. */
function environment({ url, application, sellers, buyers }: Ready, adminToken?: string): NodeJS.ProcessEnv {
  // A world that was laid out from a file may have nobody; what then stands here would be another world's.
  const [seller] = sellers
  const buyer = buyers.find(({ site_id }) => site_id === seller?.site_id) ?? buyers[0]
  return {
    ...process.env,
    MERCADITO_URL: url,
    MERCADITO_TOKEN: seller?.token,
    MERCADITO_SELLER_ID: seller && String(seller.id),
    MERCADITO_BUYER_TOKEN: buyer?.token,
    MERCADITO_BUYER_ID: buyer && String(buyer.id),
    MERCADITO_CLIENT_ID: String(application.id),
    MERCADITO_CLIENT_SECRET: application.secret,
    ...(adminToken !== undefined && { MERCADITO_ADMIN_TOKEN: adminToken }),
  }
}

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a program to its end; answers its exit code, as a shell would tell it. */
function ended([file, ...args]: string[], env: NodeJS.ProcessEnv, quiet: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(file!, args, {
      env,
      stdio: ['inherit', quiet ? 2 : 'inherit', 'inherit'],
      // Programs such as npm are scripts there, which only a shell runs.
      shell: process.platform === 'win32',
    })
    const forward = (signal: NodeJS.Signals) => {
      // A terminal tells Ctrl-C to all programs in front of it; twice would be once too often.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    }
    for (const signal of FORWARDED) process.on(signal, forward)
    const done = () => {
      for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      done()
      const [code, why] = error.code === 'ENOENT' ? [127, 'is no program that can be found'] : [126, 'cannot be run']
      reject(new Failure(`${visible(file)} ${why}; see that it is installed and in PATH`, code))
    })
    child.on('exit', (code, signal) => {
      done()
      resolve(code ?? 128 + constants.signals[signal!])
    })
  })
}
