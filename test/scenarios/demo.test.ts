import { isDeepStrictEqual } from 'node:util'
import t, { type Test } from 'tap'
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

const one = await demoRows(1, MONDAY)
const worlds: [seed: number, rows: ScenarioRows][] = [
  [1, one],
  [2 ** 53 - 1, await demoRows(2 ** 53 - 1, MONDAY)],
]

/** The rows that break a rule; tap shows them when there are any. */
const none = <T>(t: Test, rows: T[], wrong: (row: T) => unknown, message: string) =>
  t.same(rows.filter(wrong).slice(0, 3), [], message)

const unique = (t: Test, values: unknown[], message: string) => t.equal(new Set(values).size, values.length, message)

const within = (t: Test, n: number, from: number, to: number, message: string) =>
  t.ok(n >= from && n <= to, `${message}: ${n} in ${from}…${to}`)

const median = (numbers: number[]) => numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!

t.test('random numbers', async (t) => {
  const draws = (r = random(5)) => Array.from({ length: 50 }, () => r.int(-3, 3))
  t.same(draws(), draws(), 'one seed, one stream')
  t.strictSame(
    [...new Set(draws())].sort((a, b) => a - b),
    [-3, -2, -1, 0, 1, 2, 3],
    'both ends are included',
  )
  t.notSame(draws(), draws(random(5 + 2 ** 32)), 'the high bits of a seed count')
  t.notSame(draws(), draws(random(5).fork('a')))
  t.notSame(draws(random(5).fork('a')), draws(random(5).fork('b')))
  const used = random(5)
  used.next()
  t.same(draws(used.fork('a')), draws(random(5).fork('a')), 'a fork does not feel what was drawn before')
  t.same(used.shuffle([1, 2, 3, 4]).sort(), [1, 2, 3, 4])
  t.equal(used.weighted([0, 1, 0]), 1)
  t.throws(() => used.pick([]), RangeError)
})

t.test('the same seed and origin make the same rows', async (t) => {
  t.ok(isDeepStrictEqual(await demoRows(1, MONDAY), one))
})

t.test('another week moves the times and nothing else', async (t) => {
  const by = 113 * WEEK
  const later = await demoRows(1, MONDAY + by)
  const moved = <T extends object>(rows: T[], ...columns: (keyof T)[]) =>
    rows.map((row) => {
      const times = columns.map((column) => [column, row[column] === null ? null : Number(row[column]) + by])
      return { ...row, ...Object.fromEntries(times) }
    })
  t.ok(isDeepStrictEqual(later.user, moved(one.user, 'registration_date')), 'users')
  t.ok(isDeepStrictEqual(later.item, moved(one.item, 'date_created', 'last_updated')), 'items')
  t.ok(isDeepStrictEqual(later.question, moved(one.question, 'date_created', 'answered_at')), 'questions')
  t.ok(isDeepStrictEqual(later.blocked_buyer, moved(one.blocked_buyer, 'date_created')), 'blocked buyers')
  for (const table of ['contact_event', 'contact_item_hour', 'contact_user_hour'] as const)
    t.ok(isDeepStrictEqual(later[table], one[table]), `${table} counts from the origin`)
})

t.test('another seed tells another story about the same ids', async (t) => {
  const [, [, other]] = worlds as [unknown, [number, ScenarioRows]]
  for (const table of Object.keys(one) as (keyof ScenarioRows)[])
    t.notOk(isDeepStrictEqual(other[table], one[table]), table)
  t.same(
    other.user.map(({ id, tags }) => [id, tags]),
    one.user.map(({ id, tags }) => [id, tags]),
  )
  const testers = ({ user }: ScenarioRows) =>
    user.filter(({ tags }) => tags.includes('test_user')).map((u) => u.nickname)
  t.same(testers(other), testers(one))
  const places = ({ item }: ScenarioRows) =>
    item.map(({ id, seller_id, status, shipping_mode, in_flex }) => [id, seller_id, status, shipping_mode, in_flex])
  t.same(places(other), places(one), 'what a listing id stands for is fixed')
})

t.test('every wording has its words in every country, every title fits', async (t) => {
  const own = 'the shop city hood pickup daytime n few days percent months cm colour colour2 size vehicle offer'
  for (const id of SITE_IDS) {
    const { language } = SITES[id]
    const voice = VOICES[id]
    const texts = language === 'pt' ? PT : ES
    const words = { ...voice.words, ...Object.fromEntries(own.split(' ').map((name) => [name, name])) }
    const lines = [
      ...[...texts.topics, texts.bought].flatMap(({ ask, answer }) => [...ask, ...answer]),
      ...[...texts.followUps, ...voice.greetings, ...voice.thanks, ...voice.openers, ...voice.closers],
    ]
    none(t, lines, (line) => /[{}]/.test(fill(line, words)), id)
    for (const line of [...texts.mistaken, ...texts.spam, ...texts.moderated]) fill(line, voice.words)
    const titles = CATALOGUE.map((product) => named(product[language], voice.words).title)
    none(t, titles, (title) => title.length > 60 || /[{}|]/.test(title), `${id} titles`)
    for (const tag of new Set(texts.topics.flatMap(({ about }) => about)))
      t.ok(tag === 'flex' || CATALOGUE.some(({ tags }) => tags.includes(tag)), `something is ${tag}`)
  }
})

for (const [seed, rows] of worlds)
  t.test(`seed ${seed}`, async (t) => {
    const { user, item, question, blocked_buyer, contact_event } = rows
    const users = new Map(user.map((row) => [row.id, row]))
    const items = new Map(item.map((row) => [row.id, row]))
    const sellers = user.filter(({ level_id }) => level_id !== null)
    const listing = (row: { item_id: string }) => items.get(row.item_id)!
    const isTester = (id: number) => users.get(id)!.tags.includes('test_user')

    t.test('users', async (t) => {
      unique(
        t,
        user.map(({ id }) => id),
        'ids',
      )
      unique(
        t,
        user.map(({ nickname }) => nickname),
        'nicknames',
      )
      t.equal(user.length, 8 * (1 + 2 + 40))
      none(t, user, ({ id }) => id <= 2 ** 31, 'ids above 2^31')
      none(t, user, ({ email }) => !/^[a-z0-9.]+@example\.(com|org|net)$/.test(email), 'reserved mail domains')
      none(t, user, ({ phone }) => !/55[05]/.test(phone), 'fictitious telephones')
      none(t, user, ({ registration_date }) => registration_date > MONDAY - 100 * DAY, 'registered before it all')
      none(t, user, ({ tags }) => !JSON.parse(tags).includes('normal'), 'tags')
      none(
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
      none(
        t,
        sellers,
        ({ address, site_id }) => JSON.parse(address).city !== SITES[site_id as 'MLA'].home.city,
        'in Flex',
      )
      t.equal(user.filter(({ nickname }) => /^COMPRADOR_M\w\w_[12]$/.test(nickname)).length, 16)
      t.equal(user.filter(({ id }) => isTester(id)).length, 24)
    })

    t.test('listings', async (t) => {
      unique(t, [...items.keys()], 'ids')
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
        unique(
          t,
          own.map(({ title }) => title),
          'titles',
        )
        t.equal(own[0]!.id, `${site_id}1400000001`)
        t.equal(own.filter(({ in_flex }) => in_flex).length, 8)
      }
      none(t, item, (i) => i.in_flex && !(i.status === 'active' && i.shipping_mode === 'me2'), 'Flex needs active, me2')
      none(t, item, (i) => i.currency_id !== SITES[i.site_id as 'MLA'].currency || !(i.price > 0), 'prices')
      none(t, item, (i) => i.date_created > MONDAY - 100 * DAY, 'listed before the history')
      none(t, item, (i) => i.last_updated >= MONDAY - DAY || i.last_updated < i.date_created, 'settled before the week')
    })

    t.test('questions: numbers and times', async (t) => {
      t.equal(question[0]!.id, 13_000_000_001)
      none(
        t,
        question.slice(1).map((q, i) => [question[i]!, q] as const),
        ([a, b]) => b.id !== a.id + 1 || b.date_created < a.date_created,
        'ids ascend with time',
      )
      none(
        t,
        question,
        (q) => q.date_created < MONDAY - 90 * DAY || q.date_created >= MONDAY + WEEK,
        'asked in 97 days',
      )
      none(
        t,
        question,
        (q) => q.answered_at && (q.answered_at <= q.date_created || q.answered_at >= MONDAY + WEEK),
        'answers',
      )
      none(t, question, (q) => listing(q).seller_id !== q.seller_id, "on the seller's listings")
      none(
        t,
        question,
        (q) => users.get(q.from_id)!.site_id !== listing(q).site_id || q.from_id === q.seller_id,
        'askers',
      )
      for (const { id, nickname } of sellers)
        within(t, question.filter((q) => q.seller_id === id).length, 260, 340, nickname)
      const local = (q: { date_created: number }) => ((((q.date_created - MONDAY) % DAY) + DAY) % DAY) / HOUR
      within(t, question.filter((q) => local(q) >= 10 && local(q) < 23).length / question.length, 0.7, 0.9, 'by day')
    })

    t.test('questions: statuses', async (t) => {
      const of = (...statuses: string[]) => question.filter(({ status }) => statuses.includes(status))
      within(t, of('ANSWERED').length / question.length, 0.75, 0.92, 'most are answered')
      none(t, of('ANSWERED'), (q) => !q.answer_text || !q.answered_at || q.answer_status !== 'ACTIVE', 'ANSWERED')
      none(
        t,
        of('UNANSWERED', 'CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DELETED', 'BANNED'),
        (q) => q.answer_text !== null || q.answered_at !== null || q.answer_status !== null,
        'open ones have no answer',
      )
      none(t, of('UNANSWERED'), (q) => listing(q).status !== 'active', 'UNANSWERED')
      none(t, of('CLOSED_UNANSWERED'), (q) => listing(q).status !== 'closed', 'CLOSED_UNANSWERED')
      none(t, of('UNDER_REVIEW'), (q) => listing(q).status !== 'under_review', 'UNDER_REVIEW')
      none(t, question, (q) => (q.text === '') !== (q.status === 'BANNED'), 'only the banned lost their text')
      none(t, question, (q) => (q.deleted_from_listing === 1) !== (q.status === 'DELETED'), 'DELETED')
      none(t, question, (q) => (q.hold || q.suspected_spam) && q.status !== 'UNANSWERED', 'flags')
      none(t, of('DISABLED'), (q) => q.answer_status !== (q.answered_at ? 'DISABLED' : null), 'DISABLED')
      for (const { id, nickname } of sellers) {
        const own = question.filter((q) => q.seller_id === id)
        const some = (name: string, has: (q: (typeof own)[number]) => unknown) =>
          t.ok(own.some(has), `${nickname}: ${name}`)
        for (const status of ['CLOSED_UNANSWERED', 'UNDER_REVIEW', 'DELETED', 'BANNED', 'DISABLED'])
          some(status, (q) => q.status === status)
        for (const flag of ['hold', 'suspected_spam', 'hidden'] as const) some(flag, (q) => q[flag])
      }
    })

    t.test('whatever instant of the week is now, the rest can be cut off', async (t) => {
      const final = (q: (typeof question)[number]) =>
        listing(q).status !== 'active' || ['DELETED', 'BANNED', 'DISABLED'].includes(q.status)
      none(t, question.filter(final), (q) => (q.answered_at ?? q.date_created) >= MONDAY - DAY, 'settled a day before')
      none(
        t,
        question.filter((q) => listing(q).status !== 'active'),
        (q) => (q.answered_at ?? q.date_created) >= listing(q).last_updated,
        'nothing after a listing has left the site',
      )
      none(t, blocked_buyer, (b) => b.date_created >= MONDAY - DAY, 'blocked before')
      for (const { id, nickname } of sellers) {
        const open = question.filter(
          (q) => q.seller_id === id && q.status === 'UNANSWERED' && !q.hold && !q.suspected_spam,
        )
        const between = (from: number, to: number) =>
          open.filter(({ date_created: at }) => at >= MONDAY + from && at < MONDAY + to).length
        within(t, between(-3 * DAY, 0), 5, 25, `${nickname} waiting when the week begins`)
        within(t, between(0, WEEK), 3, 25, `${nickname} coming in the week`)
      }
    })

    t.test('the first question of a buyer on a listing is marked', async (t) => {
      const met = new Set<string>()
      const expected = question.map((q) => met.size < met.add(`${q.from_id} ${q.item_id}`).size)
      t.same(
        question.map((q) => q.first_of_buyer === 1),
        expected,
      )
      t.ok(expected.includes(false), 'some come back')
    })

    t.test('texts', async (t) => {
      const texts = question.flatMap((q) => [q.text, q.answer_text ?? ''])
      none(t, texts, (text) => text.length > 2000 || !text.isWellFormed() || /[{}\0]|undefined/.test(text), 'clean')
      const kinds = { ñ: /ñ/, ç: /ç|ã/, emoji: /\p{Extended_Pictographic}/u, markup: /<\w|&/, quotes: /"/ }
      for (const [name, kind] of Object.entries(kinds))
        t.ok(
          texts.some((text) => kind.test(text)),
          name,
        )
      for (const { id, nickname } of sellers) {
        const own = question.filter((q) => q.seller_id === id).map(({ text }) => text)
        within(t, new Set(own).size / own.length, 0.8, 1, `${nickname} hears various things`)
      }
    })

    t.test('people', async (t) => {
      for (const { id } of user.filter(({ id, level_id }) => isTester(id) && level_id === null))
        within(t, question.filter(({ from_id }) => from_id === id).length, 5, 12, `${users.get(id)!.nickname} asks`)
      for (const { id } of sellers) within(t, blocked_buyer.filter((b) => b.seller_id === id).length, 1, 2, 'blocked')
      none(t, blocked_buyer, ({ buyer_id }) => isTester(buyer_id), 'no test buyer is blocked')
      none(
        t,
        blocked_buyer,
        (b) => question.some((q) => q.from_id === b.buyer_id && q.date_created >= b.date_created),
        'who is blocked asks no more',
      )
    })

    t.test('sellers answer at their own pace', async (t) => {
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
      const office = (day: number, hour: number) => day < 5 && hour >= 9 && hour < 18
      const evening = (day: number, hour: number) => day < 5 && hour >= 18
      const weekend = (day: number) => day >= 5
      for (const { nickname } of sellers) {
        const [fast, slow, slower] = [office, evening, weekend].map((period) => minutes(nickname, period)) as [
          number,
          number,
          number,
        ]
        t.ok(
          2 * fast < slow && 2 * fast < slower && Math.max(slow, slower) < 24 * 60,
          `${nickname}: ${[fast, slow, slower].map(Math.round)} minutes`,
        )
      }
      within(t, minutes('VENDEDOR_MLA', office), 3, 20, 'an excellent one')
      within(t, minutes('VENDEDOR_MLU', office), 60, 240, 'a poor one')
    })

    t.test('contacts', async (t) => {
      unique(
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
        'seq counts what happened at once',
      )
      none(t, contact_event, (e) => e.at < -90 * DAY || e.at >= WEEK || !Number.isInteger(e.at), 'in the 97 days')
      none(t, contact_event, (e) => listing(e).seller_id !== e.user_id, "on the seller's listings")
      none(
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
        'every question is one',
      )
      for (const { id, nickname } of sellers) {
        const own = contact_event.filter(({ user_id }) => user_id === id)
        within(t, own.length / 97, 16, 24, `${nickname} a day`)
        const days = Object.values(Object.groupBy(own, ({ at }) => Math.floor(at / DAY))).map((list) => list!.length)
        t.ok(Math.max(...days) > 1.5 * median(days), 'a peak')
        const popular = Object.values(Object.groupBy(own, ({ item_id }) => item_id)).map((list) => list!.length)
        t.ok(Math.max(...popular) > 3 * median(popular), 'some listings get most')
      }
      const views = contact_event.filter(({ kind }) => kind === 'phone_views')
      within(t, views.filter(({ buyer_id }) => buyer_id === null).length / views.length, 0.4, 0.8, 'strangers')
    })

    t.test('the rollups are the counts', async (t) => {
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
      t.ok(isDeepStrictEqual(stored(byItem), count('item_id')), 'by item')
      t.ok(isDeepStrictEqual(stored(byUser), count('user_id')), 'by user')
      t.equal(stored(byItem).size, byItem.length, 'one row each')
      t.equal(stored(byUser).size, byUser.length, 'one row each')
    })
  })
