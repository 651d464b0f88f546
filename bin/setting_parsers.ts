import type { Switches } from '../db/world.ts'
import { parseCidrBlock } from '../domains/notifications/outbound/ip_addresses.ts'
import { parseAllowlistEntry } from '../domains/notifications/outbound/network_policy.ts'
import { InvalidValue, mustBe, parseDuration } from '../domains/shared/commands.ts'
import { switchError } from '../http/switches.ts'
import { usageError } from '../lib/cli/errors.ts'
import { SWITCHES } from './domains.ts'

/** The base address of a server or world, without a trailing slash. */
export const parseBaseUrl = (text: string): string =>
  parseAddress(text, '--url or MERCADITO_URL', 'http://127.0.0.1:4400 or http://127.0.0.1:4400/w/2')

export function parseAddress(text: string, source: string, example: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    // The value is not repeated: it may contain a password.
    throw usageError(`${source}: must be an address such as ${example}`)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

/** The value is not repeated: it may contain a password. */
export function parseDatabaseUrl(text: string): string {
  if (!/^postgres(?:ql)?:\/\/[^/]/.test(text) || !URL.canParse(text))
    throw usageError('--database or MERCADITO_DATABASE: must be an address such as postgres://user@db/mercadito')
  return text
}

const MIN_LEASE_MS = 1000
const MAX_LEASE_MS = 60_000

/** A duration, ms; the default is shown as it is written. */
export function parseLease(text: string): number {
  const ms = parseDuration(text)
  if (ms < MIN_LEASE_MS || ms > MAX_LEASE_MS) throw mustBe('from 1s to 60s')
  return ms
}

/** `name=value`, or several separated by commas, as in the environment variable. */
export function parseAssumptions(text: string, previous: Switches = {}): Switches {
  const read = text.split(',').map((one): [string, string] => {
    const [, name = one, value = ''] = /^([^=]*)=(.*)$/.exec(one) ?? []
    const error = switchError(SWITCHES, name, value)
    if (error) throw new InvalidValue(`${Object.hasOwn(SWITCHES, name) ? `${name}: it` : 'The name'} ${error}.`)
    return [name, value]
  })
  return { ...previous, ...Object.fromEntries(read) }
}

/** Parses one entry, or several separated by commas, as in the environment variable. */
const listOf =
  (check: (entry: string) => void) =>
  (text: string, previous: string[] = []): string[] => {
    const entries = text.split(',')
    entries.forEach(check)
    return [...previous, ...entries]
  }

export const parseAllowlist = listOf((entry) => {
  try {
    parseAllowlistEntry(entry)
  } catch (error) {
    throw new InvalidValue(`${(error as Error).message}.`)
  }
})

export const parseProxies = listOf((entry) => {
  if (!parseCidrBlock(entry)) throw mustBe('an address or a block, such as 127.0.0.1 or 10.0.0.0/8')
})

export function parseHostAndPort(text: string): string {
  const [, host, port] = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535) throw mustBe('an address and a port, such as 0.0.0.0:443')
  return text
}
