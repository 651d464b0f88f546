import { BlockList, isIP, SocketAddress } from 'node:net'

/** All addresses of one family that share a prefix. */
export interface CidrBlock {
  family: SocketAddress['family']
  list: BlockList
}

/** An address in any spelling of RFC 4291, without brackets; an IPv6 zone is dropped. Anything else: undefined. */
export function parseIpAddress(text: string): SocketAddress | undefined {
  const version = isIP(text)
  if (version === 0) return undefined
  return new SocketAddress({ address: text.replace(/%.*/, ''), family: version === 4 ? 'ipv4' : 'ipv6' })
}

/** `10.0.0.0/8`, or an address alone: the block of that one. Bits after the prefix are ignored. */
export function parseCidrBlock(text: string): CidrBlock | undefined {
  const [, start = text, length] = /^([^%]*)\/(\d{1,3})$/.exec(text) ?? []
  const address = parseIpAddress(start)
  if (!address) return undefined
  const { family } = address
  const addressBits = family === 'ipv4' ? 32 : 128
  const prefix = Number(length ?? addressBits)
  if (prefix > addressBits) return undefined
  const list = new BlockList()
  list.addSubnet(address, prefix)
  return { family, list }
}

/** BlockList also finds `::ffff:10.0.0.1` in `10.0.0.0/8`; here a block contains addresses of its own family only. */
export const isWithin = (address: SocketAddress, { family, list }: CidrBlock): boolean =>
  address.family === family && list.check(address)

export const isLoopback = (address: SocketAddress): boolean =>
  blocks().loopback.some((block) => isWithin(address, block))

/**
 * Why an address is not a public one, or is only reached through a translation: in words that follow "is". Undefined
 * for a public address.
 */
export function nonPublicReason(address: SocketAddress): string | undefined {
  const special = blocks().special.find(({ block }) => isWithin(address, block))
  if (special) return `${special.kind} (${special.text})`
  if (address.family === 'ipv4') return undefined
  if (!isWithin(address, blocks().globalUnicast)) return 'not a public address (outside 2000::/3)'
  return isIsatap(address) ? 'an ISATAP form of an IPv4 address (::5efe:a.b.c.d)' : undefined
}

/** No prefix matches these: the mark is in the second half. 0200 means that the IPv4 address is globally unique. */
function isIsatap(address: SocketAddress): boolean {
  const [fifth, sixth] = ipv6Groups(address).slice(4)
  return (fifth === '0' || fifth === '200') && sixth === '5efe'
}

/** The eight groups, as SocketAddress writes them: lower case, no leading zeros, and in 2000::/3 never dotted. */
function ipv6Groups({ address }: SocketAddress): string[] {
  const [head = [], tail = []] = address.split('::').map((half) => (half === '' ? [] : half.split(':')))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

/**
 * IANA's special-purpose registries, and addresses that clouds use internally; the first match names an address.
 * Translated forms are rejected whatever IPv4 address they contain: no receiver is reached that way.
 */
const SPECIAL_BLOCKS = {
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
}

/** Parsed when the first address is checked: it takes longer than the rest of this file. */
let parsed: ReturnType<typeof parseBlocks> | undefined
const blocks = () => (parsed ??= parseBlocks())
const parseBlocks = () => ({
  loopback: ['127.0.0.0/8', '::1'].map((text) => parseCidrBlock(text)!),
  globalUnicast: parseCidrBlock('2000::/3')!,
  special: Object.entries(SPECIAL_BLOCKS).flatMap(([kind, blocks]) =>
    blocks.map((text) => ({ kind, text, block: parseCidrBlock(text)! })),
  ),
})
