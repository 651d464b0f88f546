import type { SocketAddress } from 'node:net'
import { hasAddresses, isAllowlistedAddress, isAllowlistedName } from './allowlist.ts'
import { InvalidTarget, isHostName, isLocalhostName, isMetadataHost } from './hosts.ts'
import { isLoopback, nonPublicReason, parseIpAddress } from './ip_addresses.ts'
import type { ListenAddress } from './listen_addresses.ts'

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
