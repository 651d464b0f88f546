import { type Address, type Block, isLoopback, isWithin, notPublic, readAddress, readBlock } from './addresses.ts'
import type { Pinned } from './attempt.ts'
import type { Lookup } from './lookups.ts'
import { arrivesAt, type Bound } from './own_address.ts'

/** How far notifications may go. */
export interface Reach {
  /** Others than this machine can reach the server. */
  wide: boolean
  /** What the person allowed besides: host names, `*.suffix`, addresses, CIDR blocks; each as `readListed` takes it. */
  listed: string[]
  /** Where this server itself listens by now: nothing is sent there, listed or not, or it would call itself. */
  own?: () => Bound[]
}

/**
 * The message says what is wrong, in words to follow `callback_url: `; it shows at most a host as it was normalised.
 */
export class BadTarget extends Error {}

/** Longest address of a receiver, characters, as written and as sent. */
export const LONGEST_TARGET = 2_000

const MUST_BE_SHORT = `must have at most ${LONGEST_TARGET} characters`

/** Read from the text itself: the parser drops some of these without a word. */
const FORM: [wrong: RegExp, rule: string][] = [
  [/[\p{Cc}\p{Cf}\p{Cs}]/u, 'must not hold control characters, nor others that do not show'],
  [/\p{Z}/u, 'must not hold blanks'],
  [/\\/, 'must not hold backslashes'],
  [/^(?!https?:\/\/)/i, 'must begin with http:// or https://'],
  [/#/, 'must not hold a fragment'],
  [/^\w+:\/\/[^/?]*@/, 'must not hold credentials'],
  [/^\w+:\/\/(?=[/?:]|$)/, 'must name a host'],
]

/** Where clouds answer with a machine's own secrets; some of these names lead to public addresses. */
const METADATA = [
  ...['metadata', 'metadata.google.internal', 'metadata.goog', 'metadata.azure.internal'],
  ...['instance-data', 'instance-data.ec2.internal', 'metadata.tencentyun.com'],
  ...['metadata.packet.net', 'metadata.platformequinix.com', 'rancher-metadata'],
]

/**
 * A receiver's address as a person wrote it, normalised as browsers do, when notifications may go there as far as can
 * be told without asking for the addresses of its name. Throws BadTarget.
 */
export function readTarget(text: string, reach: Reach): URL {
  if (text.length > LONGEST_TARGET) throw new BadTarget(MUST_BE_SHORT)
  for (const [wrong, rule] of FORM) if (wrong.test(text)) throw new BadTarget(rule)
  const url = URL.parse(text)
  if (!url) throw new BadTarget('must be an address such as http://127.0.0.1:3000/hook')
  if (url.href.length > LONGEST_TARGET) throw new BadTarget(`${MUST_BE_SHORT}, percent-encoded`)
  if (url.port === '0') throw new BadTarget('must have a port of 1 to 65535')
  const host = hostOf(url)
  const { asked } = judgeHost(host, reach)
  refuseOwn(url, asked === 'localhost' ? LOOPBACKS : [host], reach)
  return url
}

/**
 * The addresses to connect to in this attempt, in their order: asked for once, so that a name cannot change its mind
 * between judging and sending. All addresses of the name must be allowed. Throws BadTarget, or what the lookup throws.
 */
export async function pinnedAddresses(url: URL, reach: Reach, lookup: Lookup): Promise<Pinned[]> {
  const host = hostOf(url)
  const { isListed, asked } = judgeHost(host, reach)
  const literal = readAddress(host)
  const answers = literal ? [host] : (await lookup(asked)).map(({ address }) => address)
  if (answers.length === 0) throw new BadTarget(`${host} leads to no address`)
  const pinned = answers.map((text) => {
    const address = readAddress(text)
    if (!address) throw new BadTarget(`${host} leads to no address`)
    const fault = isListed || literal ? undefined : faultOf(address, reach)
    if (fault) throw new BadTarget(`${host} leads to ${text}, which is ${fault}: not allowed unless listed`)
    return { address: text, family: address.family }
  })
  if (asked === 'localhost') pinned.push(...restOfLocalhost(pinned, isListed, reach))
  refuseOwn(
    url,
    pinned.map(({ address }) => address),
    reach,
  )
  return pinned
}

const LOOPBACKS = ['127.0.0.1', '::1']

/**
 * Many systems know localhost in one family only, while a receiver that asked its own runtime to listen there sits in
 * the other: both are this machine whatever the system says.
 */
const restOfLocalhost = (known: Pinned[], isListed: boolean, reach: Reach): Pinned[] =>
  LOOPBACKS.flatMap((text) => {
    const address = readAddress(text)!
    const isKnown = known.some(({ family }) => family === address.family)
    return isKnown || !(isListed || !faultOf(address, reach)) ? [] : [{ address: text, family: address.family }]
  })

function refuseOwn(url: URL, addresses: string[], { own }: Reach): void {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const bound = own?.() ?? []
  const at = addresses.find((text) => {
    const address = readAddress(text)
    return address && arrivesAt(address, port, bound)
  })
  if (at) throw new BadTarget(`${url.hostname}:${port} is this server itself`)
}

type Listed = { block: Block } | { name: string } | { suffix: string }

/**
 * An entry of the list: `hooks.example.com`, `*.example.com` (what is below it, not itself), `10.1.2.3`, `::1`,
 * `10.0.0.0/8`. Throws BadTarget where it is none of these.
 */
export function readListed(text: string): Listed {
  const block = readBlock(text.replace(/^\[(.*)\]$/, '$1'))
  if (block) return { block }
  const [, star, rest = ''] = /^(\*\.)?([^\s/:@?#\\%[\]*]+)$/u.exec(text) ?? []
  const url = rest === '' ? null : URL.parse(`http://${rest}/`)
  const name = url ? hostOf(url) : ''
  const short = readBlock(name)
  if (short && !star) return { block: short }
  if (short || !isName(name))
    throw new BadTarget(
      `${JSON.stringify(text)} must be a host name, *.suffix, an address or a block such as 10.0.0.0/8`,
    )
  return star ? { suffix: `.${name}` } : { name }
}

/** The host without brackets, and without the dot that may end a name. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const isName = (host: string) =>
  host.length <= 253 && host.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))

const isOwnName = (host: string) => host === 'localhost' || host.endsWith('.localhost')

const isMetadata = (host: string) => METADATA.some((name) => host === name || host.endsWith(`.${name}`))

/** What can be said of a host before its addresses are known; `asked`: the name that they are asked for by. */
function judgeHost(host: string, reach: Reach): { isListed: boolean; asked: string } {
  const address = readAddress(host)
  if (!address && !isName(host)) throw new BadTarget('must name a host by letters, digits, hyphens and dots')
  const fault = address ? faultOf(address, reach) : nameFaultOf(host, reach)
  if (fault) throw new BadTarget(`${host} is ${fault}: not allowed unless listed`)
  const isListed = !address && isListedName(host, reach)
  // Names below localhost are this machine's by definition: not every system knows them, and none should ask others.
  return { isListed, asked: isOwnName(host) && !isListed ? 'localhost' : host }
}

function faultOf(address: Address, { wide, listed }: Reach): string | undefined {
  if (blocksOf(listed).some((block) => isWithin(address, block))) return undefined
  if (wide) return notPublic(address)
  return isLoopback(address) ? undefined : 'no loopback address, and the server listens on loopback only'
}

/** A name that is not listed may still lead to a listed address: that is seen at the attempt. */
function nameFaultOf(host: string, reach: Reach): string | undefined {
  if (isListedName(host, reach)) return undefined
  if (isMetadata(host)) return 'the name of a metadata service'
  if (isOwnName(host) !== reach.wide || blocksOf(reach.listed).length > 0) return undefined
  return reach.wide ? 'a name of this machine' : 'no name of this machine, and the server listens on loopback only'
}

const isListedName = (host: string, { listed }: Reach) =>
  listed
    .map(readListed)
    .some((entry) => ('name' in entry && host === entry.name) || ('suffix' in entry && host.endsWith(entry.suffix)))

const blocksOf = (listed: string[]) =>
  listed.map(readListed).flatMap((entry) => ('block' in entry ? [entry.block] : []))
