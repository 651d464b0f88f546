import type { SocketAddress } from 'node:net'
import { networkInterfaces } from 'node:os'
import {
  type CidrBlock,
  isLoopback,
  isWithin,
  nonPublicReason,
  parseCidrBlock,
  parseIpAddress,
} from './ip_addresses.ts'

/** The message completes `callback_url: …`; the longest text in it is a normalised host. */
export class InvalidTarget extends Error {}

/** Metadata services return credentials of the machine; some of these names resolve to public addresses. */
const METADATA_HOSTS = [
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
  ...['metadata.packet.net', 'metadata.platformequinix.com', 'rancher-metadata'],
]

/** The host without brackets, and without the dot that ends a fully qualified name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const isHostName = (host: string): boolean =>
  host.length <= 253 && host.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))

const isLocalhostName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost')

const isMetadataHost = (host: string): boolean =>
  METADATA_HOSTS.some((name) => host === name || host.endsWith(`.${name}`))

type AllowlistEntry = { block: CidrBlock } | { name: string } | { suffix: string }

/**
 * Parses `hooks.example.com`, `*.example.com` (names below it, not itself), `10.1.2.3`, `::1` or `10.0.0.0/8`. Throws
 * InvalidTarget for anything else.
 */
export function parseAllowlistEntry(text: string): AllowlistEntry {
  const block = parseCidrBlock(text.replace(/^\[(.*)\]$/, '$1'))
  if (block) return { block }
  const [, star, rest = ''] = /^(\*\.)?([^\s/:@?#\\%[\]*]+)$/u.exec(text) ?? []
  const url = rest === '' ? null : URL.parse(`http://${rest}/`)
  const name = url ? hostOf(url) : ''
  const address = parseCidrBlock(name)
  if (address && !star) return { block: address }
  if (address || !isHostName(name))
    throw new InvalidTarget(
      `${JSON.stringify(text)} must be a host name, *.suffix, an address or a block such as 10.0.0.0/8`,
    )
  return star ? { suffix: `.${name}` } : { name }
}

const isAllowlistedName = (host: string, allowlist: string[]): boolean =>
  allowlist
    .map(parseAllowlistEntry)
    .some((entry) => ('name' in entry && host === entry.name) || ('suffix' in entry && host.endsWith(entry.suffix)))

const isAllowlistedAddress = (address: SocketAddress, allowlist: string[]): boolean =>
  blocksOf(allowlist).some((block) => isWithin(address, block))

const hasAddresses = (allowlist: string[]): boolean => blocksOf(allowlist).length > 0

const blocksOf = (allowlist: string[]): CidrBlock[] =>
  allowlist.map(parseAllowlistEntry).flatMap((entry) => ('block' in entry ? [entry.block] : []))

/** The address of a listening server: an IP address, or the unspecified one for every interface of this machine. */
interface ListenAddress {
  address: string
  port: number
}

/** Whether a connection to an address and port arrives at one of these. */
export const connectsToAny = (address: SocketAddress, port: number, listeners: ListenAddress[]): boolean => {
  const target = effectiveAddress(address)
  return listeners.some((listener) => {
    if (listener.port !== port) return false
    const listenAddress = parseIpAddress(listener.address)?.address
    // `::` accepts both families, `0.0.0.0` its own.
    if (listenAddress === '::') return isOwnInterface(target)
    if (listenAddress === '0.0.0.0') return target.family === 'ipv4' && isOwnInterface(target)
    return listenAddress === target.address
  })
}

const LOOPBACK_OF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The address that the system connects to: the IPv4 address of a mapped one, loopback for an unspecified one. */
function effectiveAddress({ address }: SocketAddress): SocketAddress {
  const unmapped = address.replace(/^::ffff:(?=\d+\.)/, '')
  return parseIpAddress(LOOPBACK_OF[unmapped] ?? unmapped)!
}

/** Read at every call: interfaces come and go. */
const isOwnInterface = (target: SocketAddress) =>
  isLoopback(target) ||
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .some(({ address }) => parseIpAddress(address)!.address === target.address)

/** The allowed targets of notifications. */
export interface NetworkPolicy {
  /** The server listens beyond loopback, so that callers on other machines can set targets. */
  isExposed: boolean
  /** Targets allowed in addition: host names, `*.suffix`, addresses, CIDR blocks; see `parseAllowlistEntry`. */
  allowlist: string[]
  /** The addresses that this server listens on: never a target, or it would call itself. */
  listenAddresses?: () => ListenAddress[]
}

/** Checks a host before its addresses are known; throws InvalidTarget. `lookupName`: the name to resolve. */
export function checkHost(host: string, policy: NetworkPolicy): { isAllowlisted: boolean; lookupName: string } {
  const address = parseIpAddress(host)
  if (!address && !isHostName(host)) throw new InvalidTarget('must name a host by letters, digits, hyphens and dots')
  const reason = address ? addressRejection(address, policy) : hostNameRejection(host, policy)
  if (reason) throw new InvalidTarget(`${host} is ${reason}: not allowed unless allowlisted`)
  const isAllowlisted = !address && isAllowlistedName(host, policy.allowlist)
  // Names below localhost always mean this machine; not every resolver knows them, and DNS servers must not be asked.
  return { isAllowlisted, lookupName: isLocalhostName(host) && !isAllowlisted ? 'localhost' : host }
}

/** The reason why an address is not allowed, in words that follow "is"; undefined if it is allowed. */
export function addressRejection(address: SocketAddress, { isExposed, allowlist }: NetworkPolicy): string | undefined {
  if (isAllowlistedAddress(address, allowlist)) return undefined
  if (isExposed) return nonPublicReason(address)
  return isLoopback(address) ? undefined : 'not a loopback address, and the server listens on loopback only'
}

/** A name that is not allowlisted may still resolve to an allowlisted address: the attempt finds out. */
function hostNameRejection(host: string, { isExposed, allowlist }: NetworkPolicy): string | undefined {
  if (isAllowlistedName(host, allowlist)) return undefined
  if (isMetadataHost(host)) return 'the name of a metadata service'
  if (isLocalhostName(host) !== isExposed || hasAddresses(allowlist)) return undefined
  return isExposed ? 'a name of this machine' : 'not a name of this machine, and the server listens on loopback only'
}
