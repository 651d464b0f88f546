import { InvalidArgumentError, Option } from 'commander'
import { profileFlag } from '../domains/notifications/commands.ts'
import { InvalidValue, integer, parseInstantFlag, type Setting } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import { SCENARIOS, SHIPPED_SEED } from '../scenarios/names.ts'
import { parseToken } from './admin_token.ts'
import { LOG_FORMATS } from './log.ts'
import {
  parseAddress,
  parseAllowlist,
  parseAssumptions,
  parseBaseUrl,
  parseDatabaseUrl,
  parseHostAndPort,
  parseLease,
  parseProxies,
} from './setting_parsers.ts'

export const assume: Setting = {
  flags: '--assume <name=value>',
  description: 'an assumption of new worlds; may be repeated',
  parse: parseAssumptions,
}

export const scenario: Setting = {
  flags: '--scenario <name>',
  description: 'content of a new world',
  defaultValue: 'demo',
  choices: SCENARIOS,
}
export const seed: Setting = {
  flags: '--seed <number>',
  description: 'selects other names, texts and numbers',
  defaultValue: SHIPPED_SEED,
  parse: integer(0),
}

/** Has the name of a flag of `config`. */
export const explain: Setting = {
  flags: '--explain',
  description: 'give answers that refuse a call a header with the address of their explanation',
}

const START = {
  port: {
    flags: '--port <number>',
    description: 'port to listen on; 0: a free one',
    defaultValue: 4400,
    parse: integer(0, 65_535),
  },
  host: { flags: '--host <name>', description: 'address to listen on', defaultValue: '127.0.0.1' },
  data: { flags: '--data <folder>', description: 'store the worlds in this folder; default: temporary worlds' },
  database: {
    flags: '--database <url>',
    description: 'store the worlds in this PostgreSQL database, which several servers may share',
    conflicts: ['data', 'record'],
    parse: parseDatabaseUrl,
    isSecret: true,
  },
  advertise: {
    flags: '--advertise <address>',
    description: 'address at which the other servers of the database reach this one',
    parse: (text) => parseAddress(text, '--advertise or MERCADITO_ADVERTISE', 'http://10.0.0.7:4400'),
  },
  lease: {
    flags: '--lease <duration>',
    description: 'time after which other servers take over the worlds of this one, if it is gone',
    defaultValue: '10s',
    parse: parseLease,
  },
  scenario,
  seed,
  now: {
    flags: '--now <instant>',
    description: 'freeze the clock of the world at this ISO 8601 instant',
    parse: parseInstantFlag,
  },
  assume,
  load: {
    flags: '--load <file>',
    description: 'create a new world from this world file, as `world export` writes it',
    conflicts: ['scenario', 'seed', 'now'],
  },
  notify: {
    flags: '--notify <address>',
    description:
      'send notifications of the default world to this URL, such as http://127.0.0.1:3000/hook; inbox: stores them in the server',
  },
  notifyProfile: { ...profileFlag, flags: '--notify-profile <name>' },
  notifyAllow: {
    flags: '--notify-allow <host>',
    description: 'allow notifications to this name, *.suffix, address or block, too; may be repeated',
    parse: parseAllowlist,
  },
  record: {
    flags: '--record <file>',
    description: 'record the start of each world and all calls in this new file, for replay',
  },
  publicUrl: {
    flags: '--public-url <address>',
    description: 'address at which clients reach the server, behind a proxy',
    parse: (text) => parseAddress(text, '--public-url or MERCADITO_PUBLIC_URL', 'https://market.example.com'),
  },
  trustProxy: {
    flags: '--trust-proxy <address>',
    description: 'trust the X-Forwarded-* headers of this address or block; may be repeated',
    parse: parseProxies,
  },
  tls: {
    flags: '--tls <how>',
    description: 'use https with a certificate that the server creates: self-signed',
    choices: ['self-signed'],
    conflicts: ['tlsCert', 'tlsKey'],
  },
  tlsCert: {
    flags: '--tls-cert <file>',
    description: 'use https with this certificate chain (PEM)',
  },
  tlsKey: { flags: '--tls-key <file>', description: 'the private key of the certificate (PEM)' },
  interceptTls: {
    flags: '--intercept-tls <host:port>',
    description: 'answer https for the hosts of the marketplace there, too; needs an admin token',
    parse: parseHostAndPort,
  },
  interceptAuthority: {
    flags: '--intercept-authority <folder>',
    description: 'where --intercept-tls stores its certificate authority: clients trust ca.pem',
  },
  log: {
    flags: '--log <format>',
    description: 'log requests to standard error: json, pretty, or on (pretty on a terminal, else json)',
    defaultValue: 'off',
    choices: LOG_FORMATS,
  },
  explain,
  miss: {
    flags: '--miss <how>',
    description:
      'make a proposed stub for each call that nothing answers: ask (the call gets 404 as without it) or propose (the stub answers)',
    choices: ['ask', 'propose'],
    conflicts: ['record'],
  },
  autoSnapshots: {
    flags: '--auto-snapshots <number>',
    description: 'automatic snapshots before writes of programs in each world, for undo; 0: none',
    defaultValue: 10,
    parse: integer(0, 100),
  },
  readyJson: {
    flags: '--ready-json',
    description: 'print only one JSON line to standard output, when ready',
  },
  readyFile: {
    flags: '--ready-file <file>',
    description: 'write the line of --ready-json to this file, which only its owner can read; print no tokens',
    conflicts: ['readyJson'],
  },
  adminToken: {
    flags: '--admin-token <token>',
    description: 'token that control calls need; required if other machines can reach the server',
    parse: parseToken,
    isSecret: true,
  },
  adminTokenFile: {
    flags: '--admin-token-file <file>',
    description: 'read the admin token from this file',
    conflicts: ['adminToken'],
  },
  viewerTokenFile: {
    flags: '--viewer-token-file <file>',
    description: 'read from this file a second token, for control calls that change nothing; needs an admin token',
  },
} satisfies Record<string, Setting>

export const url: Setting = {
  flags: '--url <address>',
  description: 'base address of the server, or of a world of it (…/w/2)',
  defaultValue: 'http://127.0.0.1:4400',
  parse: parseBaseUrl,
}
/** Where a recording is replayed. */
export const against: Setting = {
  flags: '--against <address>',
  description: 'replay in new worlds of this running server, which are deleted afterwards',
  parse: (text) => parseAddress(text, '--against or MERCADITO_REQUESTS_REPLAY_AGAINST', 'http://127.0.0.1:4400'),
}
/** The server whose calls are recorded. */
export const upstream: Setting = {
  flags: '--upstream <address>',
  description: 'server whose answers are recorded: https, or http on this machine',
  parse(text) {
    const address = parseAddress(text, '--upstream or MERCADITO_CAPTURE_UPSTREAM', 'https://api.mercadolibre.com')
    if (!/^(?:https:|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))/.test(address))
      throw usageError('--upstream or MERCADITO_CAPTURE_UPSTREAM: must be https, or http on this machine')
    return address
  },
}
/** As clients use it. */
export const adminToken: Setting = {
  ...START.adminToken,
  description: 'the --admin-token of the server',
}
export const adminTokenFile: Setting = START.adminTokenFile

export const ca: Setting = {
  flags: '--ca <file>',
  description: 'also trust the certificates of this file (PEM), for https',
}

export const JSON_FLAG: Setting = {
  flags: '--json',
  description: 'print only one JSON document to standard output',
}

/** The settings of a server; `mercadito --help` lists them. */
export const startSettings: Setting[] = Object.values(START)
/** Where several servers have their worlds. */
export const database: Setting = START.database
/** Only of a server of a command's own. */
export const ownServer: Setting[] = [
  { ...START.record, conflicts: ['url'] },
  { ...START.miss, conflicts: ['record', 'url'] },
]
/** The settings of a new world. */
export const worldSettings: Setting[] = [START.scenario, START.seed, START.now, START.assume, START.load]
/** The settings of a client. */
export const callSettings: Setting[] = [url, adminToken, adminTokenFile, ca]
/** All settings, for `config`. */
export const allSettings: Setting[] = [...startSettings, url, ca, JSON_FLAG]

/** `MERCADITO_PORT` for `--port`; with the command's name for flags of one command: `MERCADITO_ASK_FROM`. */
export const environmentName = ({ flags }: Setting, command = ''): string =>
  ['mercadito', ...command.split(/[ -]/), ...longFlagName(flags).split('-')].filter(Boolean).join('_').toUpperCase()

export const longFlagName = (flags: string): string => /--([\w-]+)/.exec(flags)![1]!

/** The flag of a command, with its environment variable. */
export function createOption(setting: Setting, command = ''): Option {
  const { flags, description, defaultValue, defaultText, parse, choices, conflicts } = setting
  const option = new Option(flags, description).env(environmentName(setting, command))
  if (choices) option.choices(choices)
  if (conflicts) option.conflicts(conflicts)
  if (defaultValue !== undefined) option.default(defaultValue, defaultText)
  if (parse) option.argParser(reportInvalid(parse))
  return option
}

/** Throws the error that commander expects of a parser. */
export const reportInvalid =
  (parse: NonNullable<Setting['parse']>): NonNullable<Setting['parse']> =>
  (text, previous) => {
    try {
      return parse(text, previous)
    } catch (error) {
      throw error instanceof InvalidValue ? new InvalidArgumentError(error.message) : error
    }
  }

/** Of every command that calls a server: they share them, because making them for each takes longer than its own. */
export const callOptions = [...callSettings, JSON_FLAG].map((setting) => createOption(setting))
