import type { PinnedAddress } from './attempt.ts'
import type { Lookup } from './connection.ts'
import { parseIpAddress } from './ip_addresses.ts'
import {
  addressRejection,
  checkHost,
  connectsToAny,
  hostOf,
  InvalidTarget,
  type NetworkPolicy,
} from './network_policy.ts'

/** Maximum length of a target URL, characters, as written and percent-encoded. */
export const MAX_TARGET_LENGTH = 2_000

const TOO_LONG = `must have at most ${MAX_TARGET_LENGTH} characters`

/** Checked in the text itself: the URL parser silently drops or rewrites some of these. */
const URL_RULES: [wrong: RegExp, rule: string][] = [
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'must not contain control characters or invisible characters'],
  [/\p{Z}/u, 'must not contain blanks'],
  [/\\/, 'must not contain backslashes'],
  [/^(?!https?:\/\/)/i, 'must begin with http:// or https://'],
  [/#/, 'must not contain a fragment'],
  [/^\w+:\/\/[^/?]*@/, 'must not contain credentials'],
  [/^\w+:\/\/(?=[/?:]|$)/, 'must contain a host'],
]

/** The target of notifications that stay inside the server: see inbox/. It is never an address. */
export const INBOX_TARGET = 'inbox:'

/** Normalises the target of a setting: `inbox:`, or a URL. Throws InvalidTarget. */
export function parseCallback(text: string, policy: NetworkPolicy): string {
  if (text === INBOX_TARGET) return INBOX_TARGET
  if (/^inbox\b/i.test(text)) throw new InvalidTarget(`must be exactly ${INBOX_TARGET}, or a URL`)
  return parseTarget(text, policy).href
}

/**
 * Parses and normalises a target URL as browsers do, and checks everything that can be checked without resolving its
 * name. Throws InvalidTarget.
 */
export function parseTarget(text: string, policy: NetworkPolicy): URL {
  if (text.length > MAX_TARGET_LENGTH) throw new InvalidTarget(TOO_LONG)
  for (const [wrong, rule] of URL_RULES) if (wrong.test(text)) throw new InvalidTarget(rule)
  const url = URL.parse(text)
  if (!url) throw new InvalidTarget('must be an address such as http://127.0.0.1:3000/hook')
  if (url.href.length > MAX_TARGET_LENGTH) throw new InvalidTarget(`${TOO_LONG}, percent-encoded`)
  if (url.port === '0') throw new InvalidTarget('must have a port of 1 to 65535')
  const host = hostOf(url)
  const { lookupName } = checkHost(host, policy)
  rejectOwnAddress(url, lookupName === 'localhost' ? LOOPBACK_ADDRESSES : [host], policy)
  return url
}

/**
 * Resolves the addresses to connect to in one attempt, in the order of the system. The name is looked up once and the
 * connection uses these addresses, so a DNS answer that changes between check and connect (rebinding) has no effect.
 * All addresses must be allowed. Throws InvalidTarget, or the error of the lookup.
 */
export async function resolvePinnedAddresses(
  url: URL,
  policy: NetworkPolicy,
  lookup: Lookup,
): Promise<PinnedAddress[]> {
  const host = hostOf(url)
  const { isAllowlisted, lookupName } = checkHost(host, policy)
  const isLiteral = parseIpAddress(host) !== undefined
  const answers = isLiteral ? [host] : (await lookup(lookupName)).map(({ address }) => address)
  if (answers.length === 0) throw new InvalidTarget(`${host} resolves to no address`)
  const pinned = answers.map((text): PinnedAddress => {
    const address = parseIpAddress(text)
    if (!address) throw new InvalidTarget(`${host} resolves to no address`)
    const reason = isAllowlisted || isLiteral ? undefined : addressRejection(address, policy)
    if (reason)
      throw new InvalidTarget(`${host} resolves to ${text}, which is ${reason}: not allowed unless allowlisted`)
    return { address: text, family: address.family === 'ipv4' ? 4 : 6 }
  })
  if (lookupName === 'localhost') pinned.push(...missingLoopbackAddresses(pinned, isAllowlisted, policy))
  rejectOwnAddress(
    url,
    pinned.map(({ address }) => address),
    policy,
  )
  return pinned
}

const PINNED_LOOPBACK: PinnedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]
const LOOPBACK_ADDRESSES = PINNED_LOOPBACK.map(({ address }) => address)

/** Many systems resolve localhost to one family only, while the receiver may listen on the other. */
const missingLoopbackAddresses = (
  pinned: PinnedAddress[],
  isAllowlisted: boolean,
  policy: NetworkPolicy,
): PinnedAddress[] =>
  PINNED_LOOPBACK.filter(
    ({ address, family }) =>
      !pinned.some((other) => other.family === family) &&
      (isAllowlisted || !addressRejection(parseIpAddress(address)!, policy)),
  )

function rejectOwnAddress(url: URL, addresses: string[], { listenAddresses }: NetworkPolicy): void {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const listeners = listenAddresses?.() ?? []
  const isOwn = addresses.some((text) => {
    const address = parseIpAddress(text)
    return address !== undefined && connectsToAny(address, port, listeners)
  })
  if (isOwn) throw new InvalidTarget(`${url.hostname}:${port} is this server itself`)
}
