import { isIP } from 'node:net'

/** An IP address as a number of 32 or 128 bits, so that no spelling of it matters. */
export interface IpAddress {
  family: 4 | 6
  value: bigint
}

/** All addresses whose first `bits` bits are those of `value`. */
export interface CidrBlock extends IpAddress {
  bits: number
}

const ADDRESS_BITS = { 4: 32, 6: 128 } as const

const joinParts = (parts: number[], width: bigint) => parts.reduce((value, part) => (value << width) | BigInt(part), 0n)

/** An address in its usual spelling, without brackets; an IPv6 zone is left out. Anything else: undefined. */
export function parseIpAddress(text: string): IpAddress | undefined {
  const family = isIP(text)
  if (family === 4) return { family, value: joinParts(text.split('.').map(Number), 8n) }
  if (family === 6) return { family, value: joinParts(ipv6Groups(text.replace(/%.*/, '')), 16n) }
  return undefined
}

/** `10.0.0.0/8`, or an address alone: the block of that one. Bits behind the prefix do not matter. */
export function parseCidrBlock(text: string): CidrBlock | undefined {
  const [, start = text, length] = /^([^%]*)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseIpAddress(start)
  if (!address) return undefined
  const bits = Number(length ?? ADDRESS_BITS[address.family])
  return bits <= ADDRESS_BITS[address.family] ? { ...address, bits } : undefined
}

/** An address is in a block of its own family only: `::ffff:10.0.0.1` is not in `10.0.0.0/8`. */
export function isWithin({ family, value }: IpAddress, block: CidrBlock): boolean {
  return family === block.family && (value ^ block.value) >> BigInt(ADDRESS_BITS[family] - block.bits) === 0n
}

export const isLoopback = (address: IpAddress): boolean => LOOPBACK_BLOCKS.some((block) => isWithin(address, block))

/**
 * What an address is that the public internet does not lead to, or leads to by a way round such as a translated form:
 * in words that follow "is". Undefined for a public one.
 */
export function nonPublicReason(address: IpAddress): string | undefined {
  const special = SPECIAL_BLOCKS.find(({ block }) => isWithin(address, block))
  if (special) return `${special.kind} (${special.text})`
  if (address.family === 4) return undefined
  if (!isWithin(address, GLOBAL_UNICAST)) return 'no public address (outside 2000::/3)'
  // The mark stands in the second half, whatever the network; the bit tells whether the IPv4 address is a unique one.
  const isatapMark = (address.value >> 32n) & 0xffff_ffffn
  return (isatapMark & ~0x0200_0000n) === 0x5efen ? 'an ISATAP form of an IPv4 address (::5efe:a.b.c.d)' : undefined
}

const LOOPBACK_BLOCKS = ['127.0.0.0/8', '::1'].map((text) => parseCidrBlock(text)!)
const GLOBAL_UNICAST = parseCidrBlock('2000::/3')!

/**
 * The special-purpose registries of IANA, and what clouds keep outside of them; the first that holds an address names
 * it. Translated forms are refused whatever they carry: nobody's receiver lives at one.
 */
const SPECIAL_BLOCKS = Object.entries({
  'an unspecified address': ['0.0.0.0', '::'],
  'an address of this network': ['0.0.0.0/8'],
  'a loopback address': ['127.0.0.0/8', '::1'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'a site-local address': ['fec0::/10'],
  'an address that carriers share': ['100.64.0.0/10'],
  'an address of a cloud for its own machines': ['168.63.129.16'],
  'a documentation address': ['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  'a benchmark address': ['198.18.0.0/15', '2001:2::/48'],
  'a broadcast address': ['255.255.255.255'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'a reserved address': ['240.0.0.0/4', '3ffe::/16'],
  'an IPv4-mapped address': ['::ffff:0:0/96'],
  'an IPv4-translated address': ['::ffff:0:0:0/96'],
  'an IPv4-compatible address': ['::/96'],
  'a NAT64 form of an IPv4 address': ['64:ff9b::/96', '64:ff9b:1::/48'],
  'a 6to4 form of an IPv4 address': ['2002::/16'],
  'a 6to4 relay': ['192.88.99.0/24'],
  'a Teredo form of an IPv4 address': ['2001::/32'],
  'a hash identifier': ['2001:10::/28', '2001:20::/28'],
  'a protocol assignment': ['192.0.0.0/24', '2001::/23'],
  'a discard address': ['100::/64', '100:0:0:1::/64'],
  'a segment routing identifier': ['5f00::/16'],
}).flatMap(([kind, blocks]) => blocks.map((text) => ({ kind, text, block: parseCidrBlock(text)! })))

/** The eight groups of an IPv6 address in any of its spellings, also with the last two as an IPv4 address. */
function ipv6Groups(text: string): number[] {
  const plain = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...four) => {
    const [a, b, c, d] = four.slice(0, 4).map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = [], tail = []] = plain
    .split('::')
    .map((half) => (half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16))))
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
}
