import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
import { LEAVES } from '../../domains/items/categories.ts'
import type { ItemDetails } from '../../domains/items/details.ts'
import { ES } from '../../domains/questions/demo/texts.es.ts'
import { PT } from '../../domains/questions/demo/texts.pt.ts'
import { random } from '../../domains/shared/demo/random.ts'
import { fill, named } from '../../domains/shared/demo/wording.ts'
import { CATALOGUE } from '../../scenarios/demo/catalogue.ts'
import { SITE_IDS, SITES } from '../../scenarios/demo/sites.ts'
import { VOICES } from '../../scenarios/demo/voices.ts'
import { demoRows, type ScenarioRows } from '../support/demo_rows.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const WEEK = 7 * DAY
const MONDAY = Date.UTC(2024, 0, 1, 4)

const reference = await demoRows(1, MONDAY)
const worlds: [seed: number, rows: ScenarioRows][] = [
  [1, reference],
  [2 ** 53 - 1, await demoRows(2 ** 53 - 1, MONDAY)],
]

/** Asserts that no row breaks a rule; tap shows the first ones that do. */
const expectNone = <T>(t: Test, rows: T[], wrong: (row: T) => unknown, message: string) =>
  t.same(rows.filter(wrong).slice(0, 3), [], message)

const expectUnique = (t: Test, values: unknown[], message: string) =>
  t.equal(new Set(values).size, values.length, message)

const expectBetween = (t: Test, n: number, from: number, to: number, message: string) =>
  t.ok(n >= from && n <= to, `${message}: ${n} in ${from}…${to}`)

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

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

t.test('listings have categories, pictures, descriptions, and variations with their stock', async (t) => {
  for (const [seed, { item, item_description }] of worlds) {
    const listings = item.map((row) => ({ ...row, details: JSON.parse(row.details!) as ItemDetails }))
    expectNone(t, listings, ({ category_id }) => !LEAVES[Number(category_id!.slice(3))], `categories ${seed}`)
    expectNone(t, listings, ({ details }) => !details.pictures?.length || !details.attributes, `pictures ${seed}`)
    const withVariations = listings.filter(({ details }) => details.variations)
    const stockOf = ({ details }: (typeof listings)[0]) =>
      details.variations!.reduce((sum, one) => sum + one.available_quantity, 0)
    expectNone(t, withVariations, (row) => stockOf(row) !== row.available_quantity, `stock of variations ${seed}`)
    expectNone(
      t,
      SITE_IDS.map((site) => withVariations.filter(({ site_id }) => site_id === site).length),
      (n) => n < 2 || n > 9,
      `listings with variations ${seed}`,
    )
    const active = item.filter(({ status }) => status === 'active').map(({ id }) => id)
    t.same(
      item_description.map(({ item_id }) => item_id),
      active,
      'each active listing has a description',
    )
    expectBetween(t, listings.filter(({ details }) => details.catalog_product_id).length, 24, 40, 'in the catalogue')
    const classified = listings.filter(({ details }) => details.buying_mode === 'classified')
    t.equal(classified.length, 4 * SITE_IDS.length)
  }
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
  for (const table of ['contact_event', 'contact_item_hour', 'contact_user_hour'] as const)
    t.ok(isDeepStrictEqual(later[table], reference[table]), `${table} is relative to the origin`)
})

t.test('another seed changes everything but the ids', async (t) => {
  const [, [, other]] = worlds as [unknown, [number, ScenarioRows]]
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
    expectNone(t, lines, (line) => /[{}]/.test(fill(line, words)), id)
    for (const line of [...texts.mistaken, ...texts.spam, ...texts.moderated]) fill(line, voice.words)
    const titles = CATALOGUE.map((product) => named(product[language], voice.words).title)
    expectNone(t, titles, (title) => title.length > 60 || /[{}|]/.test(title), `${id} titles`)
    for (const tag of new Set(texts.topics.flatMap(({ about }) => about)))
      t.ok(tag === 'flex' || CATALOGUE.some(({ tags }) => tags.includes(tag)), `a product has the tag ${tag}`)
  }
})

for (const [seed, rows] of worlds)
  t.test(`seed ${seed}`, async (t) => {
    const { user, item, question, blocked_buyer, contact_event } = rows
    const users = new Map(user.map((row) => [row.id, row]))
    const items = new Map(item.map((row) => [row.id, row]))
    const sellers = user.filter(({ level_id }) => level_id !== null)
    const listing = (row: { item_id: string }) => items.get(row.item_id)!
    const isTestUser = (id: number) => users.get(id)!.tags.includes('test_user')

    t.test('generates users', async (t) => {
      expectUnique(
        t,
        user.map(({ id }) => id),
        'ids',
      )
      expectUnique(
        t,
        user.map(({ nickname }) => nickname),
        'nicknames',
      )
      t.equal(user.length, 8 * (1 + 2 + 40))
      t.strictSame(
        user.filter(({ id }) => id < 2 ** 31).map(({ id, nickname }) => [id, nickname]),
        [
          [1500000701, 'VENDEDOR_MPE'],
          [1500000702, 'COMPRADOR_MPE_1'],
        ],
        'ids that fit 31 bits',
      )
      expectNone(t, user, ({ email }) => !/^[a-z0-9.]+@example\.(com|org|net)$/.test(email), 'reserved mail domains')
      expectNone(t, user, ({ phone }) => !/55[05]/.test(phone), 'fictitious telephones')
      expectNone(
        t,
        user,
        ({ registration_date }) => registration_date > MONDAY - 100 * DAY,
        'registered before the history',
      )
      expectNone(t, user, ({ tags }) => !JSON.parse(tags).includes('normal'), 'tags')
      expectNone(
        t,
        user,
        ({ address }) => {
          const { address: street, city, state, zip_code, ...rest } = JSON.parse(address)
          return (
            !street || !city || !/^[A-Z]{2}-[A-Z]{1,3}$/.test(state) || /#/.test(zip_code) || Object.keys(rest).length
          )
        },
        'addresses',
      )
      t.same(
        sellers.map(({ site_id, nickname }) => [site_id, nickname]),
        SITE_IDS.map((id) => [id, `VENDEDOR_${id}`]),
      )
      expectNone(
        t,
        sellers,
        ({ address, site_id }) => JSON.parse(address).city !== SITES[site_id as 'MLA'].home.city,
        'in Flex',
      )
      t.equal(user.filter(({ nickname }) => /^COMPRADOR_M\w\w_[12]$/.test(nickname)).length, 16)
      t.equal(user.filter(({ id }) => isTestUser(id)).length, 24)
    })

    t.test('generates listings', async (t) => {
      expectUnique(t, [...items.keys()], 'ids')
      for (const { id, site_id } of sellers) {
        const own = item.filter(({ seller_id }) => seller_id === id)
        const count = Object.groupBy(own, ({ status }) => status)
        t.same(
          Object.entries(count).map(([status, list]) => [status, list.length]),
          [
            ['active', 17],
            ['paused', 3],
            ['closed', 3],
            ['under_review', 1],
            ['inactive', 1],
          ],
        )
        expectUnique(
          t,
          own.map(({ title }) => title),
          'titles',
        )
        t.equal(own[0]!.id, `${site_id}1400000001`)
        t.equal(own.filter(({ in_flex }) => in_flex).length, 8)
      }
      expectNone(
        t,
        item,
        (i) => i.in_flex && !(i.status === 'active' && i.shipping_mode === 'me2'),
        'Flex needs active, me2',
      )
      expectNone(t, item, (i) => i.currency_id !== SITES[i.site_id as 'MLA'].currency || !(i.price > 0), 'prices')
      expectNone(t, item, (i) => i.date_created > MONDAY - 100 * DAY, 'listed before the history')
      expectNone(
        t,
        item,
        (i) => i.last_updated >= MONDAY - DAY || i.last_updated < i.date_created,
        'last updated a day before the week',
      )
    })

    t.test('generates questions with ascending ids and plausible times', async (t) => {
      t.equal(question[0]!.id, 13_000_000_001)
      expectNone(
        t,
        question.slice(1).map((q, i) => [question[i]!, q] as const),
        ([a, b]) => b.id !== a.id + 1 || b.date_created < a.date_created,
        'ids ascend with time',
      )
      expectNone(
        t,
        question,
        (q) => q.date_created < MONDAY - 90 * DAY || q.date_created >= MONDAY + WEEK,
        'asked in 97 days',
      )
      expectNone(
        t,
        question,
        (q) => q.answered_at && (q.answered_at <= q.date_created || q.answered_at >= MONDAY + WEEK),
        'answers',
      )
      expectNone(t, question, (q) => listing(q).seller_id !== q.seller_id, "on the seller's listings")
      expectNone(
        t,
        question,
        (q) => users.get(q.from_id)!.site_id !== listing(q).site_id || q.from_id === q.seller_id,
        'asked by other users of the site',
      )
      for (const { id, nickname } of sellers)
        expectBetween(t, question.filter((q) => q.seller_id === id).length, 260, 340, nickname)
      const local = (q: { date_created: number }) => ((((q.date_created - MONDAY) % DAY) + DAY) % DAY) / HOUR
      expectBetween(
        t,
        question.filter((q) => local(q) >= 10 && local(q) < 23).length / question.length,
        0.7,
        0.9,
        'asked during the day',
      )
    })

    t.test('generates questions in every status', async (t) => {
      const of = (...statuses: string[]) => question.filter(({ status }) => statuses.includes(status))
      expectBetween(t, of('ANSWERED').length / question.length, 0.75, 0.92, 'most are answered')
      expectNone(t, of('ANSWERED'), (q) => !q.answer_text || !q.answered_at || q.answer_status !== 'ACTIVE', 'ANSWERED')
      expectNone(
        t,
        of('UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DELETED', 'BANNED'),
        (q) => q.answer_text !== null || q.answered_at !== null || q.answer_status !== null,
        'open ones have no answer',
      )
      expectNone(t, of('UNANSWERED'), (q) => listing(q).status !== 'active', 'UNANSWERED')
      expectNone(t, of('CLOSED_UNANSWERED'), (q) => listing(q).status !== 'closed', 'CLOSED_UNANSWERED')
      expectNone(t, of('UNDER_REVIEW'), (q) => listing(q).status !== 'under_review', 'UNDER_REVIEW')
      expectNone(t, question, (q) => (q.text === '') !== (q.status === 'BANNED'), 'only banned questions have no text')
      expectNone(t, question, (q) => (q.deleted_from_listing === 1) !== (q.status === 'DELETED'), 'DELETED')
      expectNone(t, question, (q) => (q.hold || q.suspected_spam) && q.status !== 'UNANSWERED', 'flags')
      expectNone(t, of('DISABLED'), (q) => q.answer_status !== (q.answered_at ? 'DISABLED' : null), 'DISABLED')
      for (const { id, nickname } of sellers) {
        const own = question.filter((q) => q.seller_id === id)
        const expectSome = (name: string, has: (q: (typeof own)[number]) => unknown) =>
          t.ok(own.some(has), `${nickname}: ${name}`)
        for (const status of ['CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DELETED', 'BANNED', 'DISABLED'])
          expectSome(status, (q) => q.status === status)
        for (const flag of ['hold', 'suspected_spam', 'hidden'] as const) expectSome(flag, (q) => q[flag])
      }
    })

    t.test('the rows of every instant of the week are a consistent prefix', async (t) => {
      const final = (q: (typeof question)[number]) =>
        listing(q).status !== 'active' || ['DELETED', 'BANNED', 'DISABLED'].includes(q.status)
      expectNone(
        t,
        question.filter(final),
        (q) => (q.answered_at ?? q.date_created) >= MONDAY - DAY,
        'final a day before the week',
      )
      expectNone(
        t,
        question.filter((q) => listing(q).status !== 'active'),
        (q) => (q.answered_at ?? q.date_created) >= listing(q).last_updated,
        'nothing after a listing has left the site',
      )
      expectNone(t, blocked_buyer, (b) => b.date_created >= MONDAY - DAY, 'blocked before the last day')
      for (const { id, nickname } of sellers) {
        const open = question.filter(
          (q) => q.seller_id === id && q.status === 'UNANSWERED' && !q.hold && !q.suspected_spam,
        )
        const between = (from: number, to: number) =>
          open.filter(({ date_created: at }) => at >= MONDAY + from && at < MONDAY + to).length
        expectBetween(t, between(-3 * DAY, 0), 5, 25, `${nickname} waiting when the week begins`)
        expectBetween(t, between(0, WEEK), 3, 25, `${nickname} coming in the week`)
      }
    })

    t.test('marks the first question of a buyer on a listing', async (t) => {
      const seen = new Set<string>()
      const expected = question.map((q) => seen.size < seen.add(`${q.from_id} ${q.item_id}`).size)
      t.same(
        question.map((q) => q.first_of_buyer === 1),
        expected,
      )
      t.ok(expected.includes(false), 'some buyers ask again')
    })

    t.test('generates well-formed and varied texts', async (t) => {
      const texts = question.flatMap((q) => [q.text, q.answer_text ?? ''])
      expectNone(
        t,
        texts,
        (text) => text.length > 2000 || !text.isWellFormed() || /[{}\0]|undefined/.test(text),
        'well-formed',
      )
      const kinds = { ñ: /ñ/, ç: /ç|ã/, emoji: /\p{Extended_Pictographic}/u, markup: /<\w|&/, quotes: /"/ }
      for (const [name, kind] of Object.entries(kinds))
        t.ok(
          texts.some((text) => kind.test(text)),
          name,
        )
      for (const { id, nickname } of sellers) {
        const own = question.filter((q) => q.seller_id === id).map(({ text }) => text)
        expectBetween(t, new Set(own).size / own.length, 0.8, 1, `different questions to ${nickname}`)
      }
    })

    t.test('distributes questions and blocks among buyers', async (t) => {
      for (const { id } of user.filter(({ id, level_id }) => isTestUser(id) && level_id === null))
        expectBetween(
          t,
          question.filter(({ from_id }) => from_id === id).length,
          5,
          12,
          `${users.get(id)!.nickname} asks`,
        )
      for (const { id } of sellers)
        expectBetween(t, blocked_buyer.filter((b) => b.seller_id === id).length, 1, 2, 'blocked')
      expectNone(t, blocked_buyer, ({ buyer_id }) => isTestUser(buyer_id), 'no test buyer is blocked')
      expectNone(
        t,
        blocked_buyer,
        (b) => question.some((q) => q.from_id === b.buyer_id && q.date_created >= b.date_created),
        'no questions from blocked buyers',
      )
    })

    t.test('each seller answers at its own pace', async (t) => {
      const minutes = (nickname: string, period: (day: number, hour: number) => boolean) => {
        const { id } = sellers.find((row) => row.nickname === nickname)!
        const chosen = question.filter(({ seller_id, answered_at, date_created: at }) => {
          const hours = Math.floor((at - MONDAY) / HOUR)
          return (
            seller_id === id && answered_at && period(((Math.floor(hours / 24) % 7) + 7) % 7, ((hours % 24) + 24) % 24)
          )
        })
        return median(chosen.map((q) => (q.answered_at! - q.date_created) / 60_000))
      }
      const isOffice = (day: number, hour: number) => day < 5 && hour >= 9 && hour < 18
      const isEvening = (day: number, hour: number) => day < 5 && hour >= 18
      const isWeekend = (day: number) => day >= 5
      for (const { nickname } of sellers) {
        const [fast, slow, slower] = [isOffice, isEvening, isWeekend].map((period) => minutes(nickname, period)) as [
          number,
          number,
          number,
        ]
        t.ok(
          2 * fast < slow && 2 * fast < slower && Math.max(slow, slower) < 24 * 60,
          `${nickname}: ${[fast, slow, slower].map(Math.round)} minutes`,
        )
      }
      expectBetween(t, minutes('VENDEDOR_MLA', isOffice), 3, 20, 'a fast seller')
      expectBetween(t, minutes('VENDEDOR_MLU', isOffice), 60, 240, 'a slow seller')
    })

    t.test('generates contacts', async (t) => {
      expectUnique(
        t,
        contact_event.map((e) => `${e.user_id} ${e.kind} ${e.at} ${e.seq}`),
        'the key',
      )
      const before = new Map<string, number>()
      const seqs = contact_event.map(({ user_id, kind, at }) => {
        const key = `${user_id} ${kind} ${at}`
        before.set(key, (before.get(key) ?? -1) + 1)
        return before.get(key)
      })
      t.ok(
        isDeepStrictEqual(
          contact_event.map(({ seq }) => seq),
          seqs,
        ),
        'seq numbers contacts of one instant',
      )
      expectNone(t, contact_event, (e) => e.at < -90 * DAY || e.at >= WEEK || !Number.isInteger(e.at), 'in the 97 days')
      expectNone(t, contact_event, (e) => listing(e).seller_id !== e.user_id, "on the seller's listings")
      expectNone(
        t,
        contact_event,
        (e) => listing(e).status !== 'active' && e.at >= listing(e).last_updated - MONDAY,
        'none after a listing has left the site',
      )
      const line = (at: number, item_id: string, buyer_id: unknown) => `${at} ${item_id} ${buyer_id}`
      t.same(
        contact_event
          .filter(({ kind }) => kind === 'questions')
          .map((e) => line(e.at, e.item_id, e.buyer_id))
          .sort(),
        question.map((q) => line(q.date_created - MONDAY, q.item_id, q.from_id)).sort(),
        'every question is a contact',
      )
      for (const { id, nickname } of sellers) {
        const own = contact_event.filter(({ user_id, kind }) => user_id === id && kind !== 'visits')
        expectBetween(t, own.length / 97, 16, 24, `${nickname} a day`)
        const days = Object.values(Object.groupBy(own, ({ at }) => Math.floor(at / DAY))).map((list) => list!.length)
        t.ok(Math.max(...days) > 1.5 * median(days), 'has a peak')
        const popular = Object.values(Object.groupBy(own, ({ item_id }) => item_id)).map((list) => list!.length)
        t.ok(Math.max(...popular) > 3 * median(popular), 'some listings get most contacts')
      }
      const views = contact_event.filter(({ kind }) => kind === 'phone_views')
      expectBetween(
        t,
        views.filter(({ buyer_id }) => buyer_id === null).length / views.length,
        0.4,
        0.8,
        'anonymous phone views',
      )
    })

    t.test('each listing has on each day as many visits as questions and orders, or more', async (t) => {
      const dayOf = (item_id: string, at: number) => `${item_id} ${Math.floor(at / DAY)}`
      const visits = Map.groupBy(
        contact_event.filter(({ kind }) => kind === 'visits'),
        (e) => dayOf(e.item_id, e.at),
      )
      const led = [...question, ...rows.sale_order].map((one) => dayOf(one.item_id, one.date_created - MONDAY))
      expectNone(
        t,
        [...Map.groupBy(led, (day) => day)].filter(([day]) => Number(day.split(' ')[1]) >= -90),
        ([day, list]) => (visits.get(day)?.length ?? 0) < list.length,
        'enough visits',
      )
    })

    t.test('hourly counts equal the contacts', async (t) => {
      const count = (subject: 'item_id' | 'user_id') => {
        const counts = new Map<string, number>()
        for (const event of contact_event) {
          const key = `${event[subject]} ${event.kind} ${Math.floor(event.at / HOUR)}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        }
        return counts
      }
      const stored = (list: { id: unknown; kind: string; hour: number; n: number }[]) =>
        new Map(list.map(({ id, kind, hour, n }) => [`${id} ${kind} ${hour}`, n]))
      const byItem = rows.contact_item_hour.map(({ item_id: id, ...rest }) => ({ id, ...rest }))
      const byUser = rows.contact_user_hour.map(({ user_id: id, ...rest }) => ({ id, ...rest }))
      t.ok(isDeepStrictEqual(stored(byItem), count('item_id')), 'by listing')
      t.ok(isDeepStrictEqual(stored(byUser), count('user_id')), 'by user')
      t.equal(stored(byItem).size, byItem.length, 'one row per key')
      t.equal(stored(byUser).size, byUser.length, 'one row per key')
    })
  })
