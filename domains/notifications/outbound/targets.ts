import type { PinnedAddress } from './attempt.ts'
import type { Lookup } from './dns_lookups.ts'
import {
  type CidrBlock,
  type IpAddress,
  isLoopback,
  isWithin,
  nonPublicReason,
  parseCidrBlock,
  parseIpAddress,
} from './ip_addresses.ts'
import { connectsToAny, type ListenAddress } from './listen_addresses.ts'

/** How far notifications may go. */
export interface NetworkPolicy {
  /** Others than this machine can reach the server. */
  isExposed: boolean
  /** What the person allowed besides: host names, `*.suffix`, addresses, CIDR blocks; each as `readListed` takes it. */
  allowlist: string[]
  /** Where this server itself listens by now: nothing is sent there, listed or not, or it would call itself. */
  listenAddresses?: () => ListenAddress[]
}

/**
 * The message says what is wrong, in words to follow `callback_url: `; it shows at most a host as it was normalised.
 */
export class InvalidTarget extends Error {}

/** Longest address of a receiver, characters, as written and as sent. */
export const MAX_TARGET_LENGTH = 2_000

const TOO_LONG = `must have at most ${MAX_TARGET_LENGTH} characters`

/** Read from the text itself: the parser drops some of these without a word. */
const URL_RULES: [wrong: RegExp, rule: string][] = [
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'must not hold control characters, nor others that do not show'],
  [/\p{Z}/u, 'must not hold blanks'],
  [/\\/, 'must not hold backslashes'],
  [/^(?!https?:\/\/)/i, 'must begin with http:// or https://'],
  [/#/, 'must not hold a fragment'],
  [/^\w+:\/\/[^/?]*@/, 'must not hold credentials'],
  [/^\w+:\/\/(?=[/?:]|$)/, 'must name a host'],
]

/** Where clouds answer with a machine's own secrets; some of these names lead to public addresses. */
const METADATA_HOSTS = [
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
  ...['metadata.packet.net', 'metadata.platformequinix.com', 'rancher-metadata'],
]

/**
 * A receiver's address as a person wrote it, normalised as browsers do, when notifications may go there as far as can
 * be told without asking for the addresses of its name. Throws BadTarget.
 */
export function parseTarget(text: string, networkPolicy: NetworkPolicy): URL {
  if (text.length > MAX_TARGET_LENGTH) throw new InvalidTarget(TOO_LONG)
  for (const [wrong, rule] of URL_RULES) if (wrong.test(text)) throw new InvalidTarget(rule)
  const url = URL.parse(text)
  if (!url) throw new InvalidTarget('must be an address such as http://127.0.0.1:3000/hook')
  if (url.href.length > MAX_TARGET_LENGTH) throw new InvalidTarget(`${TOO_LONG}, percent-encoded`)
  if (url.port === '0') throw new InvalidTarget('must have a port of 1 to 65535')
  const host = hostOf(url)
  const { lookupName } = checkHost(host, networkPolicy)
  rejectOwnAddress(url, lookupName === 'localhost' ? LOOPBACK_ADDRESSES : [host], networkPolicy)
  return url
}

/**
 * The addresses to connect to in this attempt, in their order: asked for once, so that a name cannot change its mind
 * between judging and sending. All addresses of the name must be allowed. Throws BadTarget, or what the lookup throws.
 */
export async function resolvePinnedAddresses(
  url: URL,
  networkPolicy: NetworkPolicy,
  lookup: Lookup,
): Promise<PinnedAddress[]> {
  const host = hostOf(url)
  const { isAllowlisted, lookupName } = checkHost(host, networkPolicy)
  const literal = parseIpAddress(host)
  const answers = literal ? [host] : (await lookup(lookupName)).map(({ address }) => address)
  if (answers.length === 0) throw new InvalidTarget(`${host} leads to no address`)
  const pinned = answers.map((text) => {
    const address = parseIpAddress(text)
    if (!address) throw new InvalidTarget(`${host} leads to no address`)
    const reason = isAllowlisted || literal ? undefined : addressRejection(address, networkPolicy)
    if (reason) throw new InvalidTarget(`${host} leads to ${text}, which is ${reason}: not allowed unless listed`)
    return { address: text, family: address.family }
  })
  if (lookupName === 'localhost') pinned.push(...missingLoopbackAddresses(pinned, isAllowlisted, networkPolicy))
  rejectOwnAddress(
    url,
    pinned.map(({ address }) => address),
    networkPolicy,
  )
  return pinned
}

const LOOPBACK_ADDRESSES = ['127.0.0.1', '::1']

/**
 * Many systems know localhost in one family only, while a receiver that asked its own runtime to listen there sits in
 * the other: both are this machine whatever the system says.
 */
const missingLoopbackAddresses = (
  pinned: PinnedAddress[],
  isAllowlisted: boolean,
  networkPolicy: NetworkPolicy,
): PinnedAddress[] =>
  LOOPBACK_ADDRESSES.flatMap((text) => {
    const address = parseIpAddress(text)!
    const isPinned = pinned.some(({ family }) => family === address.family)
    return isPinned || !(isAllowlisted || !addressRejection(address, networkPolicy))
      ? []
      : [{ address: text, family: address.family }]
  })

function rejectOwnAddress(url: URL, addresses: string[], { listenAddresses }: NetworkPolicy): void {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const listeners = listenAddresses?.() ?? []
  const ownAddress = addresses.find((text) => {
    const address = parseIpAddress(text)
    return address && connectsToAny(address, port, listeners)
  })
  if (ownAddress) throw new InvalidTarget(`${url.hostname}:${port} is this server itself`)
}

type AllowlistEntry = { block: CidrBlock } | { name: string } | { suffix: string }

/**
 * An entry of the list: `hooks.example.com`, `*.example.com` (what is below it, not itself), `10.1.2.3`, `::1`,
 * `10.0.0.0/8`. Throws BadTarget where it is none of these.
 */
export function parseAllowlistEntry(text: string): AllowlistEntry {
  const block = parseCidrBlock(text.replace(/^\[(.*)\]$/, '$1'))
  if (block) return { block }
  const [, star, rest = ''] = /^(\*\.)?([^\s/:@?#\\%[\]*]+)$/u.exec(text) ?? []
  const url = rest === '' ? null : URL.parse(`http://${rest}/`)
  const name = url ? hostOf(url) : ''
  const address = parseCidrBlock(name)
  if (address && !star) return { block: address }
  if (address || !isName(name))
    throw new InvalidTarget(
      `${JSON.stringify(text)} must be a host name, *.suffix, an address or a block such as 10.0.0.0/8`,
    )
  return star ? { suffix: `.${name}` } : { name }
}

/** The host without brackets, and without the dot that may end a name. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const isName = (host: string) =>
  host.length <= 253 && host.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))

const isLocalhostName = (host: string) => host === 'localhost' || host.endsWith('.localhost')

const isMetadataHost = (host: string) => METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))

/** What can be said of a host before its addresses are known; `asked`: the name that they are asked for by. */
function checkHost(host: string, networkPolicy: NetworkPolicy): { isAllowlisted: boolean; lookupName: string } {
  const address = parseIpAddress(host)
  if (!address && !isName(host)) throw new InvalidTarget('must name a host by letters, digits, hyphens and dots')
  const reason = address ? addressRejection(address, networkPolicy) : hostNameRejection(host, networkPolicy)
  if (reason) throw new InvalidTarget(`${host} is ${reason}: not allowed unless listed`)
  const isAllowlisted = !address && isAllowlistedName(host, networkPolicy)
  // Names below localhost are this machine's by definition: not every system knows them, and none should ask others.
  return { isAllowlisted: isAllowlisted, lookupName: isLocalhostName(host) && !isAllowlisted ? 'localhost' : host }
}

function addressRejection(address: IpAddress, { isExposed, allowlist }: NetworkPolicy): string | undefined {
  if (allowlistBlocks(allowlist).some((block) => isWithin(address, block))) return undefined
  if (isExposed) return nonPublicReason(address)
  return isLoopback(address) ? undefined : 'no loopback address, and the server listens on loopback only'
}

/** A name that is not listed may still lead to a listed address: that is seen at the attempt. */
function hostNameRejection(host: string, networkPolicy: NetworkPolicy): string | undefined {
  if (isAllowlistedName(host, networkPolicy)) return undefined
  if (isMetadataHost(host)) return 'the name of a metadata service'
  if (isLocalhostName(host) !== networkPolicy.isExposed || allowlistBlocks(networkPolicy.allowlist).length > 0)
    return undefined
  return networkPolicy.isExposed
    ? 'a name of this machine'
    : 'no name of this machine, and the server listens on loopback only'
}

const isAllowlistedName = (host: string, { allowlist }: NetworkPolicy) =>
  allowlist
    .map(parseAllowlistEntry)
    .some((entry) => ('name' in entry && host === entry.name) || ('suffix' in entry && host.endsWith(entry.suffix)))

const allowlistBlocks = (allowlist: string[]) =>
  allowlist.map(parseAllowlistEntry).flatMap((entry) => ('block' in entry ? [entry.block] : []))
