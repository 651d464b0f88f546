import { isDeepStrictEqual } from 'node:util'
import Sqlite from 'better-sqlite3'
import t, { type Test } from 'tap'
import type { DemoSiteId } from '../../domains/demo.ts'
import { areaOf } from '../../domains/flex/areas.ts'
import { LEAVES } from '../../domains/items/categories.ts'
import { hasShortLink } from '../../domains/messages/bodies.ts'
import { ES } from '../../domains/questions/demo/texts.es.ts'
import { PT } from '../../domains/questions/demo/texts.pt.ts'
import { random } from '../../domains/shared/demo/random.ts'
import { fill, named } from '../../domains/shared/demo/wording.ts'
import { CATALOGUE } from '../../scenarios/demo/catalogue.ts'
import { SITE_IDS, SITES } from '../../scenarios/demo/sites.ts'
import { VOICES } from '../../scenarios/demo/voices.ts'
import { fileOf, generate } from '../../scenarios/generate.ts'
import { MONDAY } from '../../scenarios/names.ts'
import { demoRows, type ScenarioRows } from '../support/demo_rows.ts'
import { CONTRADICTIONS, LISTS, RANGES, VIEWS } from './rules.ts'

const WEEK = 7 * 24 * 3_600_000
const reference = await demoRows(1, MONDAY)

t.test('generates random numbers', async (t) => {
  const draws = (r = random(5)) => Array.from({ length: 50 }, () => r.int(-3, 3))
  t.same(draws(), draws(), 'equal numbers from one seed')
  t.strictSame(
    [...new Set(draws())].sort((a, b) => a - b),
    [-3, -2, -1, 0, 1, 2, 3],
    'both bounds are included',
  )
  t.notSame(draws(), draws(random(5 + 2 ** 32)), 'the high bits of a seed count')
  t.notSame(draws(), draws(random(5).fork('a')))
  t.notSame(draws(random(5).fork('a')), draws(random(5).fork('b')))
  const drawn = random(5)
  drawn.next()
  t.same(draws(drawn.fork('a')), draws(random(5).fork('a')), 'a fork does not depend on earlier draws')
  t.same(drawn.shuffle([1, 2, 3, 4]).sort(), [1, 2, 3, 4])
  t.equal(drawn.weighted([0, 1, 0]), 1)
  t.throws(() => drawn.pick([]), RangeError)
})

t.test('generates the same rows from the same seed and origin', async (t) => {
  t.ok(isDeepStrictEqual(await demoRows(1, MONDAY), reference))
})

t.test('another week changes the times only', async (t) => {
  const by = 113 * WEEK
  const later = await demoRows(1, MONDAY + by)
  const moved = <T extends object>(rows: T[], ...columns: (keyof T)[]) =>
    rows.map((row) => {
      const times = columns.map((column) => [column, row[column] === null ? null : Number(row[column]) + by])
      return { ...row, ...Object.fromEntries(times) }
    })
  t.ok(isDeepStrictEqual(later.user, moved(reference.user, 'registration_date')), 'users')
  t.ok(isDeepStrictEqual(later.item, moved(reference.item, 'date_created', 'last_updated')), 'items')
  t.ok(isDeepStrictEqual(later.question, moved(reference.question, 'date_created', 'answered_at')), 'questions')
  t.ok(isDeepStrictEqual(later.blocked_buyer, moved(reference.blocked_buyer, 'date_created')), 'blocked buyers')
  t.ok(isDeepStrictEqual(later.credit_lead, moved(reference.credit_lead, 'date_created')), 'leads')
  t.ok(isDeepStrictEqual(later.flex_subscription, moved(reference.flex_subscription, 'creation_date')), 'subscriptions')
  t.ok(isDeepStrictEqual(later.shipment, moved(reference.shipment, 'date_created')), 'shipments')
  for (const table of ['contact_event', 'contact_item_hour', 'contact_user_hour'] as const)
    t.ok(isDeepStrictEqual(later[table], reference[table]), `${table} is relative to the origin`)
})

t.test('another seed changes everything but the ids', async (t) => {
  const other = await demoRows(2 ** 53 - 1, MONDAY)
  for (const table of Object.keys(reference) as (keyof ScenarioRows)[])
    t.notOk(isDeepStrictEqual(other[table], reference[table]), table)
  t.same(
    other.user.map(({ id, tags }) => [id, tags]),
    reference.user.map(({ id, tags }) => [id, tags]),
  )
  const testUsers = ({ user }: ScenarioRows) =>
    user.filter(({ tags }) => tags.includes('test_user')).map((u) => u.nickname)
  t.same(testUsers(other), testUsers(reference))
  const listings = ({ item }: ScenarioRows) =>
    item.map(({ id, seller_id, status, shipping_mode, in_flex }) => [id, seller_id, status, shipping_mode, in_flex])
  t.same(listings(other), listings(reference), 'the properties of each listing id are fixed')
})

t.test('every text can be filled in for every country, and every title fits', async (t) => {
  const placeholders =
    'the shop city hood pickup daytime n few days percent months cm colour colour2 size vehicle offer'
  for (const id of SITE_IDS) {
    const { language } = SITES[id]
    const voice = VOICES[id]
    const texts = language === 'pt' ? PT : ES
    const words = { ...voice.words, ...Object.fromEntries(placeholders.split(' ').map((name) => [name, name])) }
    const lines = [
      ...[...texts.topics, texts.bought].flatMap(({ ask, answer }) => [...ask, ...answer]),
      ...[...texts.followUps, ...voice.greetings, ...voice.thanks, ...voice.openers, ...voice.closers],
    ]
    t.strictSame(
      lines.filter((line) => /[{}]/.test(fill(line, words))),
      [],
      id,
    )
    for (const line of [...texts.mistaken, ...texts.spam, ...texts.moderated]) fill(line, voice.words)
    const titles = CATALOGUE.map((product) => named(product[language], voice.words).title)
    t.strictSame(
      titles.filter((title) => title.length > 60 || /[{}|]/.test(title)),
      [],
      `${id} titles`,
    )
    for (const tag of new Set(texts.topics.flatMap(({ about }) => about)))
      t.ok(tag === 'flex' || CATALOGUE.some(({ tags }) => tags.includes(tag)), `a product has the tag ${tag}`)
  }
})

/** Opens the rows of a seed as SQLite file, with what the statements of rules need. */
async function openFile(seed: number): Promise<Sqlite.Database> {
  const db = new Sqlite(fileOf(await generate('demo', seed), 0n))
  db.function('regexp', (pattern, text) =>
    Number(text !== null && new RegExp(pattern as string, 'u').test(text as string)),
  )
  db.function('currency', (site) => SITES[site as 'MLA'].currency)
  db.function('is_leaf', (category) => Number((category as string).slice(3) in LEAVES))
  db.function('has_short_link', (text) => Number(hasShortLink(text as string)))
  db.aggregate('median', {
    start: (): number[] => [],
    step: (all: number[], one) => void all.push(one as number),
    result: (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)],
  })
  db.exec(VIEWS)
  return db
}

for (const seed of [1, 2 ** 53 - 1])
  t.test(`seed ${seed} keeps to the rules`, async (t) => {
    const db = await openFile(seed)
    const rowsOf = (select: string) => db.prepare(select).raw().all() as unknown[][]
    for (const [rule, select] of Object.entries(CONTRADICTIONS)) t.strictSame(rowsOf(select).slice(0, 3), [], rule)
    for (const [rule, [least, most, select]] of Object.entries(RANGES)) {
      const numbers = rowsOf(select).flat() as number[]
      t.ok(
        numbers.length > 0 && numbers.every((n) => n >= least && n <= most),
        `${rule}: ${numbers} in ${least}…${most}`,
      )
    }
    for (const [rule, [select, rows]] of Object.entries(LISTS)) t.strictSame(rowsOf(select), rows, rule)
    for (const [site, mode, zones] of rowsOf('SELECT site_id, mode, zones FROM flex_subscription'))
      checkZones(t, site as DemoSiteId, mode === 'TURBO', JSON.parse(zones as string))
    db.close()
  })

/** The mandatory and central zones of its area, in their order, and most of the others. */
function checkZones(t: Test, site: DemoSiteId, isTurbo: boolean, chosen: string[]): void {
  if (isTurbo) return void t.strictSame(chosen, [], 'a radius instead')
  const { zones } = areaOf(site, SITES[site].home.city)!
  const [fixed, optional] = [zones.filter(({ central }) => central), zones.filter(({ central }) => !central)]
  t.strictSame(
    chosen,
    zones.map(({ id }) => id).filter((id) => chosen.includes(id)),
    `${site}: known, in order`,
  )
  t.notOk(
    zones.some(({ id, mandatory }) => mandatory && !chosen.includes(id)),
    `${site}: mandatory ones`,
  )
  t.ok(
    fixed.every(({ id }) => chosen.includes(id)),
    `${site}: central ones`,
  )
  t.equal(chosen.length - fixed.length, Math.round(0.6 * optional.length), `${site}: most of the others`)
}
