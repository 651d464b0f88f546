import { InvalidArgumentError, Option } from 'commander'
import type { Switches } from '../db/world.ts'
import { PROFILE_NAMES } from '../domains/notifications/profiles.ts'
import { parseAllowlistEntry } from '../domains/notifications/targets.ts'
import { expandShortDuration, readDuration } from '../domains/shared/durations.ts'
import { parseInstant } from '../domains/shared/instants.ts'
import { switchError } from '../http/switches.ts'
import { SCENARIOS, SHIPPED_SEED } from '../scenarios/names.ts'
import { SWITCHES } from './domains.ts'
import { usageError } from './errors.ts'
import { LOG_FORMATS } from './log.ts'

/** Something that a flag or the environment says. */
export interface Setting {
  /** As the command line writes it: `--port <number>`; without a value it is on or off. */
  flags: string
  description: string
  defaultValue?: unknown
  /**
   * Makes the value of the text, and of what stood before where it may stand more than once; throws what `must` makes.
   */
  // biome-ignore lint/suspicious/noExplicitAny: each reader knows what it made before
  parse?: (text: string, previous?: any) => unknown
  choices?: readonly string[]
  /** Flags that say otherwise. */
  conflicts?: string[]
  /** Its value is never shown. */
  isSecret?: true
}

const mustBe = (what: string) => new InvalidArgumentError(`It must be ${what}.`)

export const integer =
  (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const n = Number(text)
    if (!/^\d+$/.test(text) || n < minimum || n > maximum) throw mustBe(`an integer from ${minimum} to ${maximum}`)
    return n
  }

/** Ms since 1970. */
export function parseInstantFlag(text: string): number {
  const ms = parseInstant(text)
  if (ms === undefined) throw mustBe('an ISO 8601 instant, for example 2026-03-02T12:00:00Z')
  return ms
}

/** As the server reads instants, of ms. */
export const toIso = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString()

/** As the server reads it: ISO 8601. Takes `2h30m` for `PT2H30M`. */
export function parseDuration(text: string): string {
  const iso = expandShortDuration(text) ?? text
  if (readDuration(iso) === undefined) throw mustBe('a duration, for example 2h30m, 90s, 1d or PT2H30M')
  return iso.toUpperCase()
}

/** Ms. */
export const parseDurationMs = (text: string): number => readDuration(parseDuration(text))!

/** A server's or a world's base address, without a slash at its end. */
function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    // What was given may hold a password: it is not repeated.
    throw usageError(
      '--url or MERCADITO_URL: must be an address such as http://127.0.0.1:4400 or http://127.0.0.1:4400/w/2',
    )
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function parseToken(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text))
    throw usageError('--admin-token or MERCADITO_ADMIN_TOKEN: must be 1 to 200 visible ASCII characters without blanks')
  return text
}

/** `name=value`, or several with commas between, as the environment twin has them. */
function parseAssumptions(text: string, previous: Switches = {}): Switches {
  const read = text.split(',').map((one): [string, string] => {
    const [, name = one, value = ''] = /^([^=]*)=(.*)$/.exec(one) ?? []
    const error = switchError(SWITCHES, name, value)
    if (error) throw new InvalidArgumentError(`${Object.hasOwn(SWITCHES, name) ? `${name}: it` : 'The name'} ${error}.`)
    return [name, value]
  })
  return { ...previous, ...Object.fromEntries(read) }
}

/** One entry, or several with commas between, as the environment twin has them. */
function parseAllowlist(text: string, previous: string[] = []): string[] {
  const read = text.split(',')
  for (const one of read)
    try {
      parseAllowlistEntry(one)
    } catch (error) {
      throw new InvalidArgumentError(`${(error as Error).message}.`)
    }
  return [...previous, ...read]
}

export const assume: Setting = {
  flags: '--assume <name=value>',
  description: 'what new worlds assume; may stand more than once',
  parse: parseAssumptions,
}

const START = {
  port: {
    flags: '--port <number>',
    description: 'port to listen on; 0 takes a free one',
    defaultValue: 4400,
    parse: integer(0, 65_535),
  },
  host: { flags: '--host <name>', description: 'address to listen on', defaultValue: '127.0.0.1' },
  data: { flags: '--data <folder>', description: 'keep the world in this folder; without it nothing is kept' },
  scenario: {
    flags: '--scenario <name>',
    description: 'what a new world holds',
    defaultValue: 'demo',
    choices: SCENARIOS,
  },
  seed: {
    flags: '--seed <number>',
    description: 'makes another world of the same kind',
    defaultValue: SHIPPED_SEED,
    parse: integer(0),
  },
  now: {
    flags: '--now <instant>',
    description: 'freeze the world’s clock at this ISO 8601 instant',
    parse: parseInstantFlag,
  },
  assume,
  load: {
    flags: '--load <file>',
    description: 'lay a new world out from this world file, as export writes it',
    conflicts: ['scenario', 'seed', 'now'],
  },
  notify: {
    flags: '--notify <address>',
    description: 'tell the default world’s application of every change there, such as http://127.0.0.1:3000/hook',
  },
  notifyProfile: {
    flags: '--notify-profile <name>',
    description: 'how: ideal, unless this says otherwise',
    choices: PROFILE_NAMES,
  },
  notifyAllow: {
    flags: '--notify-allow <host>',
    description: 'notifications may go to this name, *.suffix, address or block too; may stand more than once',
    parse: parseAllowlist,
  },
  tls: {
    flags: '--tls <how>',
    description: 'speak https, with a certificate that the server makes for itself: self-signed',
    choices: ['self-signed'],
  },
  tlsCert: {
    flags: '--tls-cert <file>',
    description: 'speak https with this certificate (PEM, with those that vouch for it)',
  },
  tlsKey: { flags: '--tls-key <file>', description: 'the private key of the certificate (PEM)' },
  log: {
    flags: '--log <format>',
    description: 'log requests on standard error: json, pretty, or on: pretty on a terminal and else json',
    defaultValue: 'off',
    choices: LOG_FORMATS,
  },
  readyJson: {
    flags: '--ready-json',
    description: 'print one JSON line when ready, and nothing else on standard output',
  },
  adminToken: {
    flags: '--admin-token <token>',
    description: 'what control calls must bear; needed to listen wider than this machine',
    parse: parseToken,
    isSecret: true,
  },
} satisfies Record<string, Setting>

export const url: Setting = {
  flags: '--url <address>',
  description: 'base address of the server, or of a world of it (…/w/2)',
  defaultValue: 'http://127.0.0.1:4400',
  parse: parseBaseUrl,
}
/** As a caller has it. */
export const adminToken: Setting = {
  ...START.adminToken,
  description: 'what the server was started with as --admin-token',
}

export const JSON_FLAG: Setting = {
  flags: '--json',
  description: 'print one JSON document on standard output, nothing else',
}

/** What the server is started with; `mercadito --help` lists these. */
export const startSettings: Setting[] = Object.values(START)
/** What a fresh world for a while is made with. */
export const worldSettings: Setting[] = [START.scenario, START.seed, START.now, START.assume, START.load]
/** How the server is found. */
export const callSettings: Setting[] = [url, adminToken]
/** Each once, for `config`. */
export const allSettings: Setting[] = [...startSettings, url, JSON_FLAG]

/** `MERCADITO_PORT` for `--port`; flags of one command alone bear its name too: `MERCADITO_ASK_FROM`. */
export const environmentName = ({ flags }: Setting, command = ''): string =>
  ['mercadito', ...command.split(' '), ...longFlagName(flags).split('-')].filter(Boolean).join('_').toUpperCase()

export const longFlagName = (flags: string): string => /--([\w-]+)/.exec(flags)![1]!

/** The flag of a command and its environment twin. */
export function createOption(setting: Setting, command = ''): Option {
  const { flags, description, defaultValue, parse, choices, conflicts } = setting
  const option = new Option(flags, description).env(environmentName(setting, command))
  if (choices) option.choices(choices)
  if (conflicts) option.conflicts(conflicts)
  if (defaultValue !== undefined) option.default(defaultValue)
  if (parse) option.argParser(parse)
  return option
}
