import t from 'tap'
import { basePath, consoleOf, filtersOf, formatAddress, parseAddress, worldOf } from '../../web/world/address.ts'

t.test('an address has a screen, what is open there, and filters', async (t) => {
  const rows: [hash: string, screen: string, path: string[], query: Record<string, string>][] = [
    ['', '', [], {}],
    ['#/', '', [], {}],
    ['#/requests', 'requests', [], {}],
    ['#/requests/17?status=4xx', 'requests', ['17'], { status: '4xx' }],
    ['#/flex/1/2', 'flex', ['1', '2'], {}],
    ['#/requests?q=a%26b%3Dc', 'requests', [], { q: 'a&b=c' }],
    ['#/assumptions/a%2Fb', 'assumptions', ['a/b'], {}],
    ['#/x/%zz', 'x', ['%zz'], {}],
    ['#/requests?q=a?b', 'requests', [], { q: 'a?b' }],
  ]
  for (const [hash, screen, path, query] of rows) t.strictSame(parseAddress(hash), { screen, path, query }, hash)
})

t.test('what is formatted is parsed again', async (t) => {
  t.equal(formatAddress('requests', [17], { status: '4xx', q: '', user: undefined }), '#/requests/17?status=4xx')
  t.equal(formatAddress(''), '#/')
  const query = { q: '¿a&b=c? #/ %' }
  t.strictSame(parseAddress(formatAddress('requests', ['a/b c'], query)), {
    screen: 'requests',
    path: ['a/b c'],
    query,
  })
})

t.test('a list is filtered by its members of an address; others are ignored', async (t) => {
  const query = { status: 'paid', seller: '7', item: '', span: 'day' }
  const filters = filtersOf<object>(query, ['status', 'seller', 'item', 'q'])
  t.equal(JSON.stringify(filters), '{"status":"paid","seller_id":"7"}')
})

t.test('the base address is that of the page, behind any prefix', async (t) => {
  for (const [path, base, world] of [
    ['/_sandbox/console/', '', 1],
    ['/w/2/_sandbox/console/', '/w/2', 2],
    ['/shop/mercado/w/12/_sandbox/console/', '/shop/mercado/w/12', 12],
    ['/shop/_sandbox/console/', '/shop', 1],
  ] as const) {
    t.equal(basePath(path), base)
    t.equal(worldOf(base), world)
  }
  t.equal(consoleOf('/shop/w/2', 3), '/shop/w/3/_sandbox/console/')
  t.equal(consoleOf('/shop/w/2', 1), '/shop/_sandbox/console/')
  t.equal(consoleOf('', 2), '/w/2/_sandbox/console/')
})
