import { networkInterfaces } from 'node:os'
import t, { type Test } from 'tap'
import {
  InvalidTarget,
  type NetworkPolicy,
  parseAllowlistEntry,
} from '../../domains/notifications/outbound/network_policy.ts'
import { MAX_TARGET_LENGTH, parseTarget, resolvePinnedAddresses } from '../../domains/notifications/outbound/targets.ts'
import { anyCharacter } from '../support/characters.ts'
import fc, { runs } from '../support/property.ts'

const policy = (isExposed: boolean, ...allowlist: string[]): NetworkPolicy => ({ isExposed, allowlist })
const EXPOSED = policy(true)
const LOOPBACK = policy(false)
const words = (text: string) => text.trim().split(/\s+/)

/** A lookup with these answers. */
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address }))
const noLookup = async (name: string): Promise<never> => {
  throw new Error(`${name} was looked up`)
}

/** The error of a target at subscription; undefined when it is accepted. */
function parseError(text: string, networkPolicy: NetworkPolicy): string | undefined {
  try {
    parseTarget(text, networkPolicy)
  } catch (error) {
    if (error instanceof InvalidTarget) return error.message
    throw error
  }
}
/** The error of a target at an attempt. */
async function resolveError(
  url: URL,
  networkPolicy: NetworkPolicy,
  lookup: Parameters<typeof resolvePinnedAddresses>[2],
) {
  try {
    await resolvePinnedAddresses(url, networkPolicy, lookup)
  } catch (error) {
    if (error instanceof InvalidTarget) return error.message
    throw error
  }
}

/** Rejected at subscription under every policy. */
const MALFORMED: Record<string, string[]> = {
  'must begin with http:// or https://': [
    ...['', '/', '//', '//example.com/hook', '/hook', 'example.com', 'example.com/hook', 'example.com:443'],
    ...['127.0.0.1', '127.0.0.1:3000/hook', '[::1]:3000', 'localhost:3000', 'http', 'http:', 'http:/'],
  ],
  'must contain a host': [
    ...['http://', 'https://', 'http:///', 'http:///example.com', 'http:////example.com/hook', 'http://:80/'],
    ...['http://:', 'http://?host=example.com', 'https:///127.0.0.1/', 'http://:3000/hook', 'http://::1/', 'HTTP:///'],
  ],
  'must not contain credentials': [
    ...['http://ana@example.com/', 'http://ana:secret@example.com/', 'http://:secret@example.com/'],
    ...['http://@example.com/', 'http://:@example.com/', 'http://example.com@127.0.0.1/'],
  ],
  'must not contain a fragment': [
    ...['http://example.com/#', 'http://example.com/#hook', 'http://example.com#', 'http://example.com/?a=1#b'],
    ...['http://#', 'http://example.com#@127.0.0.1/', 'http://127.0.0.1#@example.com/', 'http://example.com/a#b#c'],
  ],
  'must not contain backslashes': [
    ...['http:\\\\example.com\\hook', 'http://example.com\\@127.0.0.1/', 'http://127.0.0.1\\.example.com/'],
    ...['\\\\server\\share', 'http:/\\example.com', 'http://example.com/a\\b', 'http://example.com/?a=\\'],
  ],
  'must not contain blanks': [
    ...[' http://example.com/', 'http://example.com/ ', 'http://example.com/a b', 'http://exa mple.com/'],
    ...['http ://example.com', 'http:// example.com/', 'http://example.com/\u00a0', 'http://example.com/\u3000'],
    ...['http://example.com\u2028', ' ', 'http://example.com/\u2003hook', 'http://127.0.0.1 @example.com/'],
    ...['http://127.0.0.1 example.com/', '\u1680http://a.com'],
  ],
  'must not contain control characters or invisible characters': [
    ...['http://example.com/\n', '\thttp://example.com/', 'ht\ntp://example.com/', 'http://exam\tple.com/'],
    ...['http://a.com/\0', 'http://example.com/\r\nHost: 127.0.0.1', 'http://example.com/%0d%0a\r', '\u0000'],
    ...['http://\u0000example.com/', '\n', 'http://example.com/\u007f', 'http://example.com/\u0085'],
    ...['http://example.com/\ud800', 'http://example.com/\udc00x', 'http://lo\u00adcalhost/'],
    ...['http://\u200b127.0.0.1/', 'http://127.0.0.1\u200d/', 'http://\u2060localhost/', '\ufeffhttp://a.com'],
    ...['http://example.com/\u202egpj.exe', 'http://ex\u061cample.com/', 'java\nscript:alert(1)'],
    ...['http://10.0\u200c.0.1/'],
  ],
  'must be an address such as http://127.0.0.1:3000/hook': words(`
    http://example.com:65536/ http://example.com:99999/ http://example.com:-1/ http://example.com:http/
    http://example.com:80:80/ http://256.0.0.1/ http://1.2.3.4.5/ http://127.0.0.1.1/ http://4294967296/
    http://0x100000000/ http://127.0.0.256/ http://1.2.65536/ http://1.16777216/ http://example.1/ http://08.0.0.1/
    http://127.0.0.0x100/ http://0xg.1/ http://[ http://] http://[] http://[]/ http://[::1 http://fe80::1/
    http://[::g]/ http://[fe80::1%25eth0]/ http://[::1]x/ http://[localhost]/ http://%00.example.com/ http://%2f/ http://%zz/
    http://exa<mple.com/ http://127.0.0.1%2f/ http://example.com\uff0f/ http://\ufffd.com/`),
  'must have a port of 1 to 65535': words(
    'http://example.com:0/ https://example.com:0000/hook http://127.0.0.1:0 http://[::1]:0/',
  ),
  'must name a host by letters, digits, hyphens and dots': [
    ...words(
      'http://./ http://../ http://.../ http://.example.com/ http://a..b/ http://localhost../ http://..localhost/',
    ),
    ...words(
      'http://*/ http://xn--/ http://*.example.com/ http://a,b/ http://a!b.com/ http://$host/ http://{host}/ http://(host)/',
    ),
    ...words(
      'http://-example.com/ http://example-.com/ http://a&b/ http://a+b/ http://a=b/ http://~/ http://`id`/ http://a;b/',
    ),
    ...[`http://${'a'.repeat(64)}.com/`, `http://${'a.'.repeat(127)}com/`, "http://a'b/", 'http://"/'],
  ],
  [`must have at most ${MAX_TARGET_LENGTH} characters`]: [
    `http://example.com/${'a'.repeat(MAX_TARGET_LENGTH)}`,
    `http://${'a.'.repeat(MAX_TARGET_LENGTH)}com/`,
    `http://127.0.0.1/${' '.repeat(MAX_TARGET_LENGTH)}`,
    'x'.repeat(2_000_000),
  ],
  [`must have at most ${MAX_TARGET_LENGTH} characters, percent-encoded`]: [
    `http://127.0.0.1/${'ñ'.repeat(MAX_TARGET_LENGTH / 4)}`,
  ],
}

/** Hosts that an exposed server rejects, at subscription. */
const NON_PUBLIC: Record<string, string> = {
  'a loopback address (127.0.0.0/8)': '127.0.0.1 127.0.0.1:3000 127.0.0.1.',
  'a loopback address (::1)': '[::1] [::1]:3000 [0:0:0:0:0:0:0:1]',
  'a name of this machine': 'localhost localhost:3000 LOCALHOST',
  'an unspecified address (0.0.0.0)': '0.0.0.0 0 0x0',
  'an unspecified address (::)': '[::] [0:0:0:0:0:0:0:0] [::0]',
  'an address of this network (0.0.0.0/8)': '0.0.0.1 1 0.255.255.255',
  'a private address (10.0.0.0/8)': '10.0.0.1 10.255.255.255 10.1',
  'a private address (172.16.0.0/12)': '172.16.0.0 172.31.255.255 172.17.0.1',
  'a private address (192.168.0.0/16)': '192.168.0.1 192.168.255.255 192.168.1',
  'a private address (fc00::/7)': '[fc00::] [fd00:ec2::254] [fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]',
  'a link-local address (169.254.0.0/16)': '169.254.169.254 169.254.169.254. 169.254.0.0',
  'a link-local address (fe80::/10)': '[fe80::1] [fe80::] [febf:ffff::1]',
  'a site-local address (fec0::/10)': '[fec0::1] [feff::1] [fec0:0:0:ffff::1]',
  'an address that carriers share (100.64.0.0/10)': '100.64.0.0 100.127.255.255 100.100.100.200',
  'an address of a cloud for its own machines (168.63.129.16)': '168.63.129.16 2822734096 0xa83f8110',
  'a protocol assignment (192.0.0.0/24)': '192.0.0.0 192.0.0.192 192.0.0.170',
  'a documentation address (192.0.2.0/24)': '192.0.2.1 192.0.2.255 3221225985',
  'a documentation address (198.51.100.0/24)': '198.51.100.1 198.51.100.255',
  'a documentation address (203.0.113.0/24)': '203.0.113.0 203.0.113.9 0xcb007109',
  'a documentation address (2001:db8::/32)': '[2001:db8::1] [2001:0DB8:ffff:ffff:ffff:ffff:ffff:ffff]',
  'a documentation address (3fff::/20)': '[3fff::1] [3fff:fff:ffff::1]',
  'a benchmark address (198.18.0.0/15)': '198.18.0.1 198.19.255.255',
  'a benchmark address (2001:2::/48)': '[2001:2::1] [2001:2:0:ffff::]',
  'a multicast address (224.0.0.0/4)': '224.0.0.1 239.255.255.250 233.252.0.1',
  'a multicast address (ff00::/8)': '[ff02::1] [ff00::] [ff0e::1]',
  'a broadcast address (255.255.255.255)': '255.255.255.255 4294967295 0xffffffff',
  'a reserved address (240.0.0.0/4)': '240.0.0.1 255.255.255.254 250.1',
  'a reserved address (3ffe::/16)': '[3ffe::1]',
  'a 6to4 relay (192.88.99.0/24)': '192.88.99.1 192.88.99.255',
  'an IPv4-mapped address (::ffff:0:0/96)': '[::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:10.0.0.1]',
  'an IPv4-translated address (::ffff:0:0:0/96)': '[::ffff:0:127.0.0.1] [::ffff:0:8.8.8.8] [::ffff:0:a9fe:a9fe]',
  'an IPv4-compatible address (::/96)': '[::127.0.0.1] [::10.0.0.1] [::a9fe:a9fe]',
  'a NAT64 form of an IPv4 address (64:ff9b::/96)': '[64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:FF9B::8.8.8.8]',
  'a NAT64 form of an IPv4 address (64:ff9b:1::/48)': '[64:ff9b:1::127.0.0.1] [64:ff9b:1:ffff::a00:1]',
  'a 6to4 form of an IPv4 address (2002::/16)': '[2002:7f00:1::] [2002:a9fe:a9fe::1] [2002:0a00:0001::1]',
  'a Teredo form of an IPv4 address (2001::/32)': '[2001::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:80ff:fffe]',
  'an ISATAP form of an IPv4 address (::5efe:a.b.c.d)':
    '[2600::5efe:10.0.0.1] [2600::200:5efe:127.0.0.1] [2a00:1450::5efe:a9fe:a9fe]',
  'a hash identifier (2001:10::/28)': '[2001:10::1] [2001:1f::1]',
  'a hash identifier (2001:20::/28)': '[2001:20::1] [2001:2f:ffff::1]',
  'a protocol assignment (2001::/23)': '[2001:1::1] [2001:4:112::1] [2001:1ff::1]',
  'a discard address (100::/64)': '[100::1] [0100::dead:beef]',
  'a discard address (100:0:0:1::/64)': '[100:0:0:1::1]',
  'a segment routing identifier (5f00::/16)': '[5f00::1] [5f00:a00:1::]',
  'not a public address (outside 2000::/3)': `
    [1::1] [64:ff9c::1] [64:ff9b:2::10.0.0.1] [64:ff9b::1:0:0] [200::1] [400::1] [1fff::1] [4000::1] [fe00::1] [::1:0:0:0]
    [100:0:0:2::1] [5f01::1] [8000::1] [::fffe:7f00:1] [fbff::1]`,
  'the name of a metadata service': `
    metadata metadata. METADATA.google.internal metadata.google.internal. metadata.google.internal:80 x.metadata.google.internal
    metadata.goog instance-data instance-data.ec2.internal metadata.azure.internal metadata.packet.net ｍetadata.goog
    metadata.platformequinix.com metadata.tencentyun.com metadata%2egoogle%2einternal metadata。google。internal rancher-metadata`,
}
const nonPublic = Object.entries(NON_PUBLIC).flatMap(([kind, hosts]) => words(hosts).map((host) => ({ kind, host })))
/** Accepted by a server on loopback, which rejects all other hosts of the table. */
const isLocal = (kind: string) => /a loopback|a name of this machine/.test(kind)

t.test('rejects malformed targets', async (t) => {
  for (const [rule, texts] of Object.entries(MALFORMED))
    for (const text of texts)
      for (const networkPolicy of [
        EXPOSED,
        LOOPBACK,
        { isExposed: true, allowlist: ['0.0.0.0/0', '::/0', '*.com', 'localhost'] },
      ])
        t.equal(parseError(text, networkPolicy), rule, encodeURI(text.slice(0, 60).toWellFormed()))
})

t.test('an exposed server rejects hosts that are not public', async (t) => {
  for (const { kind, host } of nonPublic) {
    for (const text of [`http://${host}/hook?a=1`, `HTTPS://${host}`]) {
      const url = new URL(text)
      const shownHost = url.hostname.replace(/^\[|\]$|\.$/g, '')
      const error = `${shownHost} is ${kind}: not allowed unless allowlisted`
      t.equal(parseError(text, EXPOSED), error, text)
      // The policy may have changed since the subscription.
      t.equal(await resolveError(url, EXPOSED, noLookup), error, `${text}, at an attempt`)
    }
  }
})

t.test('a server on loopback accepts targets on this machine only', async (t) => {
  const FAR = 'the server listens on loopback only: not allowed unless allowlisted'
  for (const { kind, host } of nonPublic) {
    const message = parseError(`http://${host}/hook`, LOOPBACK)
    if (isLocal(kind)) t.equal(message, undefined, host)
    else if (kind.includes('metadata')) t.match(message, /is the name of a metadata service: not allowed/, host)
    else t.equal(message?.replace(/^\S+ is not a loopback address, and /, ''), FAR, host)
  }
  for (const host of words('1.1.1.1 8.8.8.8 134744072 [2606:4700::1111] 126.255.255.255 128.0.0.0'))
    t.match(
      parseError(`http://${host}`, LOOPBACK),
      / is not a loopback address, and the server listens on loopback only/,
      host,
    )
  for (const host of words(
    'example.com localhost.example.com notlocalhost localhost.com localhost-a 127.0.0.1.nip.io receiver',
  ))
    t.equal(parseError(`http://${host}`, LOOPBACK), `${host} is not a name of this machine, and ${FAR}`)
})

t.test('accepts and normalises targets', async (t) => {
  const good: [text: string, policy: NetworkPolicy, href: string][] = [
    ['http://127.0.0.1:3000/hook', LOOPBACK, 'http://127.0.0.1:3000/hook'],
    ['http://127.0.0.1', LOOPBACK, 'http://127.0.0.1/'],
    ['HTTP://LOCALHOST:80/Hook', LOOPBACK, 'http://localhost/Hook'],
    ['https://localhost:8443/a%20b?c=d&e=@:/', LOOPBACK, 'https://localhost:8443/a%20b?c=d&e=@:/'],
    ['http://[::1]:3000/hook', LOOPBACK, 'http://[::1]:3000/hook'],
    ['http://tienda.localhost/avisos/ñ', LOOPBACK, 'http://tienda.localhost/avisos/%C3%B1'],
    ['http://127.255.255.255/', LOOPBACK, 'http://127.255.255.255/'],
    ['http://0x7f.1/', LOOPBACK, 'http://127.0.0.1/'],
    ['https://example.com', EXPOSED, 'https://example.com/'],
    ['https://EXAMPLE.com.:443/hook', EXPOSED, 'https://example.com./hook'],
    ['http://münchen.example/', EXPOSED, 'http://xn--mnchen-3ya.example/'],
    ['http://a_b-c.example.com:65535/x/../y', EXPOSED, 'http://a_b-c.example.com:65535/y'],
    ['http://receiver:3000/', EXPOSED, 'http://receiver:3000/'],
    ['http://localhost.example.com/', EXPOSED, 'http://localhost.example.com/'],
    ['http://metadata.example.com/', EXPOSED, 'http://metadata.example.com/'],
    ['http://mymetadata.goog/', EXPOSED, 'http://mymetadata.goog/'],
    ['http://example.com/@ana?u=a@b', EXPOSED, 'http://example.com/@ana?u=a@b'],
    ['http://example.com?u=a@b', EXPOSED, 'http://example.com/?u=a@b'],
    ['http://example.com/%23%5C%0A', EXPOSED, 'http://example.com/%23%5C%0A'],
    [
      `http://example.com/${'a'.repeat(MAX_TARGET_LENGTH - 19)}`,
      EXPOSED,
      `http://example.com/${'a'.repeat(MAX_TARGET_LENGTH - 19)}`,
    ],
    ...words(`
      1.1.1.1 8.8.8.8 1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15
      168.63.129.17 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255
      192.88.100.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
      223.255.255.255 [2000::1] [2001:200::1] [2001:db7::1] [2001:db9::1] [2001:4860:4860::8888] [2003::1] [2606:4700::1111]
      [2a00:1450::10.0.0.1] [2600::1:5efe:5efe:1] [2600::100:5efe:a00:1] [3ffd::1] [3fff:1000::1]`).map(
      (host): [string, NetworkPolicy, string] => [`https://${host}/`, EXPOSED, new URL(`https://${host}/`).href],
    ),
  ]
  for (const [text, networkPolicy, href] of good) {
    const url = parseTarget(text, networkPolicy)
    t.equal(url.href, href)
    t.equal(parseTarget(href, networkPolicy).href, href, 'idempotent')
  }
})

t.test('accepts allowlisted hosts and addresses, and nothing similar', async (t) => {
  const table: [entry: string, accepted: string, rejected: string][] = [
    ['receiver', 'receiver receiver. RECEIVER:3000', 'receivers a.receiver receiver.com 10.0.0.1'],
    ['Hooks.Example.com.', 'hooks.example.com', 'example.com a.hooks.example.com xhooks.example.com'],
    ['*.example.com', 'a.example.com a.b.example.com', 'example.com xexample.com example.com.ar'],
    ['*.internal', 'metadata.google.internal hook.internal', 'internal metadata.goog 169.254.169.254'],
    ['tienda.münchen.example', 'tienda.xn--mnchen-3ya.example tienda.MÜNCHEN.example', 'münchen.example'],
    [
      '10.1.2.3',
      '10.1.2.3 0xa.66051 167838211',
      '10.1.2.4 10.1.2.2 [::ffff:10.1.2.3] [::10.1.2.3] [64:ff9b::10.1.2.3]',
    ],
    ['10.1.2.3/8', '10.0.0.0 10.255.255.255', '9.255.255.255 11.0.0.0 [::ffff:10.1.2.3] [2002:a01:203::]'],
    ['169.254.169.254', '169.254.169.254', '169.254.169.253 metadata.google.internal'],
    ['0.0.0.0/0', '10.0.0.1 255.255.255.255 0', '[fd00::1] [::ffff:10.0.0.1] [::2]'],
    ['fd00::/8', '[fd00::1] [fdff::1]', '[fc00::1] [fe80::1] 10.0.0.1'],
    ['[FD00::1]', '[fd00::1] [fd00:0::1]', '[fd00::2]'],
    ['::ffff:10.0.0.0/104', '[::ffff:10.0.0.1] [::ffff:a01:1]', '10.0.0.1 [::ffff:11.0.0.1] [::10.0.0.1]'],
    ['2600::5efe:a00:1', '[2600::5efe:10.0.0.1]', '[2600::5efe:10.0.0.2]'],
    ['192.168.1', '192.168.0.1', '192.168.1.1'],
  ]
  for (const [entry, accepted, rejected] of table) {
    for (const host of words(accepted))
      t.equal(parseError(`http://${host}/`, policy(true, entry)), undefined, `${entry}: ${host}`)
    for (const host of words(accepted))
      t.equal(parseError(`http://${host}/`, policy(false, entry)), undefined, `${entry}: ${host}`)
    const isBlock = 'block' in parseAllowlistEntry(entry)
    for (const host of words(rejected)) {
      // With a block, a name may resolve to an allowlisted address: the attempt finds out.
      const mayResolve = isBlock && !host.startsWith('metadata')
      const message = parseError(`http://${host}/`, policy(false, entry))
      if (mayResolve && !/^[[\d]/.test(host)) t.equal(message, undefined, host)
      else t.match(message, /not allowed unless allowlisted$/, `${entry}: ${host}`)
    }
  }
  const other = policy(false, 'other.example', '*.other.example', '10.9.9.9')
  t.match(parseError('http://10.0.0.1/', other), 'not allowed unless allowlisted', 'another entry')
  t.equal(parseError('http://10.9.9.9/', other), undefined)
})

t.test('rejects malformed allowlist entries', async (t) => {
  const bad = [
    ...words(
      '* *. *.* a.*.com *.10.0.0.1 *.127.1 10.0.0.0/33 ::/129 10.0.0.0/ /8 10.0.0.0/-1 10.0.0.0/a fe80::1%eth0/64 10.0.0/8',
    ),
    ...words(
      'http://example.com example.com:80 [::1]:80 example.com/ ana@example.com a..b .example.com -a.com a,b ::g 256.1.1.1 %31',
    ),
    ...['', ' ', 'a b', ' example.com', 'example.com\n', `${'a'.repeat(64)}.com`],
  ]
  for (const text of bad) {
    const rule = `${JSON.stringify(text)} must be a host name, *.suffix, an address or a block such as 10.0.0.0/8`
    t.throws(() => parseAllowlistEntry(text), new InvalidTarget(rule), text)
    t.equal(parseError('http://10.0.0.1/', policy(true, text)), rule, 'not skipped')
  }
})

t.test('checks every address of a name and returns them in order', async (t) => {
  const url = parseTarget('https://hooks.example.com:8443/hook', EXPOSED)
  const names: string[] = []
  const pinned = await resolvePinnedAddresses(url, EXPOSED, async (name) => {
    names.push(name)
    return [{ address: '2606:4700::1111' }, { address: '1.1.1.1' }]
  })
  t.strictSame(pinned, [
    { address: '2606:4700::1111', family: 6 },
    { address: '1.1.1.1', family: 4 },
  ])
  t.strictSame(names, ['hooks.example.com'], 'one lookup')

  const table: [answers: string, address: string, kind: string][] = [
    ['127.0.0.1', '127.0.0.1', 'a loopback address (127.0.0.0/8)'],
    ['1.1.1.1 127.0.0.1', '127.0.0.1', 'a loopback address (127.0.0.0/8)'],
    ['127.0.0.1 1.1.1.1', '127.0.0.1', 'a loopback address (127.0.0.0/8)'],
    ['1.1.1.1 8.8.8.8 2606:4700::1111 169.254.169.254', '169.254.169.254', 'a link-local address (169.254.0.0/16)'],
    ['::1', '::1', 'a loopback address (::1)'],
    ['1.1.1.1 ::ffff:10.0.0.1', '::ffff:10.0.0.1', 'an IPv4-mapped address (::ffff:0:0/96)'],
    ['::FFFF:0A00:0001', '::FFFF:0A00:0001', 'an IPv4-mapped address (::ffff:0:0/96)'],
    ['fe80::1%eth0', 'fe80::1%eth0', 'a link-local address (fe80::/10)'],
    ['fe80::%eth0', 'fe80::%eth0', 'a link-local address (fe80::/10)'],
    ['::1%1.2.3.4', '::1%1.2.3.4', 'a loopback address (::1)'],
    ['::1%lo', '::1%lo', 'a loopback address (::1)'],
    ['1.1.1.1 0.0.0.0', '0.0.0.0', 'an unspecified address (0.0.0.0)'],
    ['0:0:0:0:0:0:0:0', '0:0:0:0:0:0:0:0', 'an unspecified address (::)'],
    ['10.0.0.1', '10.0.0.1', 'a private address (10.0.0.0/8)'],
    ['192.168.1.1', '192.168.1.1', 'a private address (192.168.0.0/16)'],
    ['2606:4700::1111 fd00:ec2::254', 'fd00:ec2::254', 'a private address (fc00::/7)'],
    ['100.100.100.200', '100.100.100.200', 'an address that carriers share (100.64.0.0/10)'],
    ['64:ff9b::a9fe:a9fe', '64:ff9b::a9fe:a9fe', 'a NAT64 form of an IPv4 address (64:ff9b::/96)'],
    ['2002:7f00:1::', '2002:7f00:1::', 'a 6to4 form of an IPv4 address (2002::/16)'],
    ['2600::5efe:a00:1', '2600::5efe:a00:1', 'an ISATAP form of an IPv4 address (::5efe:a.b.c.d)'],
    ['255.255.255.255', '255.255.255.255', 'a broadcast address (255.255.255.255)'],
  ]
  for (const [answers, address, kind] of table)
    t.equal(
      await resolveError(url, EXPOSED, resolvesTo(...words(answers))),
      `hooks.example.com resolves to ${address}, which is ${kind}: not allowed unless allowlisted`,
    )
  for (const answers of [[], [''], ['1.1.1.1', 'example.com'], ['0x7f.1'], ['127.1'], ['010.0.0.1'], ['[::1]']])
    t.equal(
      await resolveError(url, EXPOSED, resolvesTo(...answers)),
      'hooks.example.com resolves to no address',
      answers.join(' '),
    )

  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  await t.rejects(
    resolvePinnedAddresses(url, EXPOSED, () => Promise.reject(missing)),
    { code: 'ENOTFOUND' },
    'the error of the lookup',
  )
})

t.test('does not look up IP literals', async (t) => {
  const pin = (text: string, networkPolicy: NetworkPolicy) =>
    resolvePinnedAddresses(parseTarget(text, networkPolicy), networkPolicy, noLookup)
  t.strictSame(await pin('http://0x7f.1:3000/', LOOPBACK), [{ address: '127.0.0.1', family: 4 }])
  t.strictSame(await pin('http://[0:0::1]:3000/', LOOPBACK), [{ address: '::1', family: 6 }])
  t.strictSame(await pin('http://134744072./', EXPOSED), [{ address: '8.8.8.8', family: 4 }])
  t.strictSame(await pin('http://10.1.2.3/', policy(true, '10.0.0.0/8')), [{ address: '10.1.2.3', family: 4 }])
})

t.test('names of this machine resolve as localhost', async (t) => {
  const resolved = async (host: string, networkPolicy: NetworkPolicy, ...answers: string[]) => {
    const names: string[] = []
    const url = parseTarget(`http://${host}:3000/`, networkPolicy)
    const lookup = (name: string) => {
      names.push(name)
      return resolvesTo(...answers)()
    }
    return { error: await resolveError(url, networkPolicy, lookup), names }
  }
  const FAR = 'which is not a loopback address, and the server listens on loopback only: not allowed unless allowlisted'
  t.strictSame(await resolved('localhost', LOOPBACK, '::1', '127.0.0.1'), { error: undefined, names: ['localhost'] })
  t.strictSame(await resolved('tienda.localhost.', LOOPBACK, '127.0.0.1'), { error: undefined, names: ['localhost'] })
  t.strictSame(await resolved('localhost', LOOPBACK, '127.0.0.1', '1.1.1.1'), {
    error: `localhost resolves to 1.1.1.1, ${FAR}`,
    names: ['localhost'],
  })
  t.strictSame(await resolved('localhost', LOOPBACK, '0.0.0.0'), {
    error: `localhost resolves to 0.0.0.0, ${FAR}`,
    names: ['localhost'],
  })
  t.strictSame(await resolved('tienda.localhost', policy(false, '*.localhost'), '10.0.0.1'), {
    error: undefined,
    names: ['tienda.localhost'],
  })
  // A block allows only the addresses in it, not the other addresses of a name.
  const block = policy(false, '172.16.0.0/12')
  t.strictSame((await resolved('receiver', block, '172.17.0.2')).error, undefined)
  t.strictSame(
    (await resolved('receiver', block, '172.17.0.2', '10.0.0.1')).error,
    `receiver resolves to 10.0.0.1, ${FAR}`,
  )
  t.strictSame((await resolved('localhost', policy(true, '127.0.0.1'), '127.0.0.1')).error, undefined)
  t.strictSame(
    (await resolved('localhost', policy(true, '127.0.0.1'), '127.0.0.1', '::1')).error,
    'localhost resolves to ::1, which is a loopback address (::1): not allowed unless allowlisted',
  )
  // All addresses of an allowlisted name.
  for (const address of ['10.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0'])
    for (const isExposed of [true, false])
      t.equal((await resolved('receiver', policy(isExposed, 'receiver'), address, '0.0.0.0')).error, undefined, address)
})

t.test('localhost has addresses of both families, those of the system first', async (t) => {
  const table: [host: string, policy: NetworkPolicy, answers: string, expected: string][] = [
    ['localhost', LOOPBACK, '127.0.0.1', '127.0.0.1 ::1'],
    ['localhost', LOOPBACK, '::1', '::1 127.0.0.1'],
    ['localhost', LOOPBACK, '::1 127.0.0.1', '::1 127.0.0.1'],
    ['localhost', LOOPBACK, '127.0.1.1 127.0.0.1', '127.0.1.1 127.0.0.1 ::1'],
    ['tienda.localhost', LOOPBACK, '127.0.0.1', '127.0.0.1 ::1'],
    ['localhost', policy(true, '127.0.0.0/8'), '127.0.0.1', '127.0.0.1'],
    ['localhost', policy(true, 'localhost'), '127.0.0.1', '127.0.0.1 ::1'],
    ['tienda.localhost', policy(true, '*.localhost'), '127.0.0.1', '127.0.0.1'],
    ['receiver', policy(true, 'receiver'), '127.0.0.1', '127.0.0.1'],
  ]
  for (const [host, networkPolicy, answers, expected] of table) {
    const pinned = await resolvePinnedAddresses(
      parseTarget(`http://${host}/`, networkPolicy),
      networkPolicy,
      resolvesTo(...words(answers)),
    )
    t.equal(pinned.map(({ address }) => address).join(' '), expected, `${host} resolves to ${answers}`)
  }
})

/** The IPv4 addresses of this machine beside loopback, if any. */
const own = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .filter(({ internal, family }) => !internal && family === 'IPv4')
  .map(({ address }) => address)

t.test('rejects the addresses that this server listens on', async (t) => {
  const ANY = ['0.0.0.0/0', '::/0', 'localhost', 'receiver']
  const listeningOn = (addresses: string, port = 3000): NetworkPolicy => ({
    ...policy(true, ...ANY),
    listenAddresses: () => words(addresses).map((address) => ({ address, port })),
  })
  const table: [addresses: string, rejected: string, accepted: string][] = [
    ['127.0.0.1', '127.0.0.1 0x7f.1 0.0.0.0 [::ffff:127.0.0.1] localhost a.localhost', '127.0.0.2 [::1] 1.1.1.1 [::]'],
    ['::1', '[::1] [0::1] [::] localhost', '127.0.0.1 0.0.0.0 [::2]'],
    ['127.0.0.1 ::1', '127.0.0.1 [::1] localhost. [::] 0.0.0.0', '127.0.0.2'],
    ['0.0.0.0', ['127.0.0.1 127.0.0.2 0.0.0.0 localhost', ...own].join(' '), '[::1] 1.1.1.1'],
    ['::', ['127.0.0.1 127.0.0.2 [::1] [::] 0.0.0.0 localhost', ...own].join(' '), '1.1.1.1 [2606:4700::1111]'],
    ['10.1.2.3', '10.1.2.3 [::ffff:10.1.2.3]', '127.0.0.1 10.1.2.4 localhost'],
  ]
  for (const [addresses, rejected, accepted] of table) {
    const here = listeningOn(addresses)
    for (const host of words(rejected)) {
      const error = parseError(`http://${host}:3000/hook`, here)
      t.equal(error, `${new URL(`http://${host}`).hostname}:3000 is this server itself`, `${addresses} ${host}`)
      t.equal(parseError(`http://${host}:3001/`, here), undefined, `${addresses} ${host}, another port`)
    }
    for (const host of words(accepted))
      t.equal(parseError(`http://${host}:3000/`, here), undefined, `${addresses} ${host}`)
  }
  for (const [text, port] of [
    ['http://127.0.0.1/', 80],
    ['https://127.0.0.1/', 443],
  ] as const)
    t.equal(parseError(text, listeningOn('127.0.0.1', port)), `127.0.0.1:${port} is this server itself`)
  t.equal(parseError('https://127.0.0.1/', listeningOn('127.0.0.1', 80)), undefined)
  t.equal(
    parseError('http://127.0.0.1:3000/', { ...LOOPBACK, listenAddresses: () => [] }),
    undefined,
    'before it listens',
  )

  const url = new URL('http://receiver:3000/')
  const errorOf = (...answers: string[]) => resolveError(url, listeningOn('127.0.0.1'), resolvesTo(...answers))
  t.equal(await errorOf('127.0.0.1'), 'receiver:3000 is this server itself')
  t.equal(await errorOf('1.1.1.1', '::ffff:127.0.0.1'), 'receiver:3000 is this server itself')
  t.equal(await errorOf('1.1.1.1', '::1'), undefined)
})

/** The same registries, written a second time and compared by arithmetic: the oracle of the properties. */
const REGISTRY_4 = words(`
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
  192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32`)
const REGISTRY_6 = words(`
  ::/3 2001::/23 2001:db8::/32 2002::/16 3ffe::/16 3fff::/20 4000::/2 8000::/1 ::1/128 ::/128 ::/96 ::ffff:0:0/96 ::ffff:0:0:0/96
  64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/32 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8`)
const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.')
const within = (block: string, random: number) => {
  const [start, bits] = block.split('/') as [string, string]
  const base = start.split('.').reduce((value, part) => value * 256 + Number(part), 0)
  const mask = bits === '32' ? 0 : 0xffff_ffff >>> Number(bits)
  return (base | (random & mask)) >>> 0
}
const isForbidden4 = (value: number) =>
  REGISTRY_4.some((block) => within(block, 0) <= value && value <= within(block, 0xffff_ffff))
const any32 = fc.nat({ max: 0xffff_ffff })
const anyV4 = fc.oneof(
  any32,
  fc.tuple(fc.constantFrom(...REGISTRY_4), any32).map(([block, random]) => within(block, random)),
  // Both sides of the edges of every block.
  fc
    .tuple(fc.constantFrom(...REGISTRY_4), fc.constantFrom(0, -1 >>> 0), fc.constantFrom(-1, 0, 1))
    .map(([block, end, step]) => (within(block, end) + step) >>> 0),
)

/** An IPv4 address in one of the spellings that the URL parser understands. */
const spelling = fc.record({
  parts: fc.integer({ min: 1, max: 4 }),
  bases: fc.array(fc.constantFrom(8, 10, 16, 17), { minLength: 4, maxLength: 4 }),
  zeros: fc.nat({ max: 3 }),
  dot: fc.constantFrom('.', '%2e', '%2E', '。', '．', '｡'),
  last: fc.constantFrom('', '.'),
  digits: fc.constantFrom('plain', 'wide', 'percent'),
})
function spelled(
  value: number,
  { parts, bases, zeros, dot, last, digits }: typeof spelling extends fc.Arbitrary<infer S> ? S : never,
): string {
  const octets = dotted(value).split('.').map(Number)
  const tail = octets.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0)
  const padding = '0'.repeat(zeros)
  const written = [...octets.slice(0, parts - 1), tail].map((part, i) => {
    if (bases[i] === 8) return `0${padding}${part.toString(8)}`
    if (bases[i] === 10) return String(part)
    return bases[i] === 16 ? `0x${padding}${part.toString(16)}` : `0X${padding}${part.toString(16).toUpperCase()}`
  })
  const disguised = (text: string) =>
    digits === 'wide'
      ? text.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
      : digits === 'percent'
        ? text.replace(/\d/g, (digit) => `%3${digit}`)
        : text
  return written.map(disguised).join(dot) + last
}

const group = fc.nat({ max: 0xffff })
const eight = fc.array(fc.oneof(group, fc.constantFrom(0, 0xffff, 0x5efe, 0x200)), { minLength: 8, maxLength: 8 })
/** The eight groups of the lowest address of a block, and how many bits of them count. */
const opened = (block: string) => {
  const [start, bits] = block.split('/') as [string, string]
  const [head = [], tail = []] = start
    .split('::')
    .map((half) => (half ? half.split(':').map((g) => parseInt(g, 16)) : []))
  return { base: [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail], bits: Number(bits) }
}
const anyV6 = fc.oneof(
  eight.map(([first = 0, ...rest]) => [0x2000 | (first & 0x1fff), ...rest]),
  eight,
  fc.tuple(fc.constantFrom(...REGISTRY_6), eight).map(([block, random]) => {
    const { base, bits } = opened(block)
    return base.map((part, i) => part | (random[i]! & (0xffff >> Math.min(16, Math.max(0, bits - 16 * i)))))
  }),
)
const spelling6 = fc.record({
  upper: fc.boolean(),
  pad: fc.boolean(),
  four: fc.boolean(),
  squeeze: fc.boolean(),
})
function spelled6(groups: number[], { upper, pad, four, squeeze }: { [way: string]: boolean }): string {
  const hex = groups.map((part) => part.toString(16).padStart(pad ? 4 : 1, '0'))
  if (four) hex.splice(6, 2, dotted(groups[6]! * 65_536 + groups[7]!))
  const text = hex.join(':')
  const short = squeeze ? text.replace(/(?:^|:)0+(?::0+)*(?::|$)/, '::') : text
  return upper ? short.toUpperCase() : short
}
const isForbidden6 = (groups: number[]) =>
  REGISTRY_6.map(opened).some(({ base, bits }) =>
    base.every((part, i) => {
      const hostBits = 16 - Math.min(16, Math.max(0, bits - 16 * i))
      return part >> hostBits === groups[i]! >> hostBits
    }),
  )
const isHidden6 = (groups: number[]) =>
  isForbidden6(groups) || groups[0]! >> 13 !== 1 || ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe)

const CASES = runs(3_000)

/** Checks that enough cases were rejected and enough accepted: otherwise the property proves nothing. */
async function bothSides<T>(t: Test, property: (count: (isRejected: boolean) => void) => fc.IAsyncProperty<T>) {
  const seen = { rejected: 0, accepted: 0 }
  const count = (isRejected: boolean) => {
    seen[isRejected ? 'rejected' : 'accepted']++
  }
  await fc.assert(property(count), { numRuns: CASES })
  t.ok(seen.rejected > CASES / 10 && seen.accepted > CASES / 10, `${seen.rejected} rejected, ${seen.accepted} accepted`)
}

t.test('property: rejects an IPv4 address in any spelling if and only if it is not public', (t) =>
  bothSides(t, (count) =>
    fc.asyncProperty(anyV4, spelling, async (value, way) => {
      const expected = isForbidden4(value)
      const text = `http://${spelled(value, way)}/hook`
      if (new URL(text).hostname !== dotted(value)) throw new Error(`${text} is another address`)
      count(expected)
      const local = dotted(value).startsWith('127.')
      const byName = await resolveError(new URL('http://a.example/'), EXPOSED, resolvesTo('1.1.1.1', dotted(value)))
      return (
        (parseError(text, EXPOSED) !== undefined) === expected &&
        (byName !== undefined) === expected &&
        (parseError(text, LOOPBACK) === undefined) === local
      )
    }),
  ),
)

t.test('property: rejects an IPv6 address in any spelling if and only if it is not public', (t) =>
  bothSides(t, (count) =>
    fc.asyncProperty(anyV6, spelling6, async (groups, way) => {
      const plain = groups.map((part) => part.toString(16)).join(':')
      const expected = isHidden6(groups)
      const text = spelled6(groups, way)
      if (new URL(`http://[${text}]`).href !== new URL(`http://[${plain}]`).href)
        throw new Error(`${text} is another address`)
      count(expected)
      const byName = await resolveError(new URL('http://a.example/'), EXPOSED, resolvesTo('1.1.1.1', text))
      return (
        (parseError(`http://[${text}]/hook`, EXPOSED) !== undefined) === expected &&
        (byName !== undefined) === expected &&
        (parseError(`http://[${text}]/hook`, LOOPBACK) === undefined) === /^(0:){7}1$/.test(plain)
      )
    }),
  ),
)

t.test('property: rejects every translated form of IPv4 addresses', async (t) => {
  const forms = fc.constantFrom<(a: string, b: string) => string>(
    (a, b) => `::ffff:${a}:${b}`,
    (a, b) => `::ffff:0:${a}:${b}`,
    (a, b) => `::${a}:${b}`,
    (a, b) => `64:ff9b::${a}:${b}`,
    (a, b) => `64:ff9b:1::${a}:${b}`,
    (a, b) => `2002:${a}:${b}::1`,
    (a, b) => `2001:0:${a}:${b}::`,
    (a, b) => `2001:0:1:1:0:0:${a}:${b}`,
    (a, b) => `2600::5efe:${a}:${b}`,
    (a, b) => `2600::200:5efe:${a}:${b}`,
    (a, b) => `5f00::${a}:${b}`,
    (a, b) => `fe80::5efe:${a}:${b}`,
  )
  fc.assert(
    fc.property(forms, group, group, (form, a, b) => {
      const text = `http://[${form(a.toString(16), b.toString(16))}]/`
      return parseError(text, EXPOSED) !== undefined && parseError(text, policy(true, '0.0.0.0/0')) !== undefined
    }),
    { numRuns: runs(2_000) },
  )
  t.pass('none')
})

t.test('property: any text gives a safe target or InvalidTarget', async (t) => {
  const piece = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.constantFrom(...words('http:// https:// @ # ? / : [ ] % . localhost 127.0.0.1 ::1 %31 0x7f xn-- 。')),
  )
  fc.assert(
    fc.property(
      fc.constantFrom('', 'http://'),
      fc.array(piece, { maxLength: 6 }),
      fc.boolean(),
      (head, pieces, isExposed) => {
        const text = head + pieces.join('')
        if (parseError(text, policy(isExposed)) !== undefined) return true
        const { protocol, username, password, hash, href } = parseTarget(text, policy(isExposed))
        return (
          /^https?:$/.test(protocol) &&
          username + password + hash === '' &&
          parseError(href, policy(isExposed)) === undefined
        )
      },
    ),
    { numRuns: runs(1_500) },
  )
  t.pass('none')
})
