import type { SocketAddress } from 'node:net'
import { hostOf, InvalidTarget, isHostName } from './hosts.ts'
import { type CidrBlock, isWithin, parseCidrBlock } from './ip_addresses.ts'

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

export const isAllowlistedName = (host: string, allowlist: string[]): boolean =>
  allowlist
    .map(parseAllowlistEntry)
    .some((entry) => ('name' in entry && host === entry.name) || ('suffix' in entry && host.endsWith(entry.suffix)))

export const isAllowlistedAddress = (address: SocketAddress, allowlist: string[]): boolean =>
  blocksOf(allowlist).some((block) => isWithin(address, block))

export const hasAddresses = (allowlist: string[]): boolean => blocksOf(allowlist).length > 0

const blocksOf = (allowlist: string[]): CidrBlock[] =>
  allowlist.map(parseAllowlistEntry).flatMap((entry) => ('block' in entry ? [entry.block] : []))
