import type { Cast, DemoSiteId, Person, Place, UserRow } from '../../domains/demo.ts'
import type { Random } from '../../domains/shared/demo/random.ts'
import { DAY, TYPING_STYLES } from '../../domains/shared/demo/wording.ts'
import { SITE_IDS, SITES } from './sites.ts'

const SHOPPERS = 40
const SPAMMERS = 4
const MAIL = ['example.com', 'example.org', 'example.net']

/**
 * A user's id, by the place on the site: 1 the seller, 2 and 3 the test buyers, 11 to 50 the shoppers. Above 2^31 on
 * purpose; the seller and a test buyer of MPE are below, for clients that store 32 bits.
 */
const idOf = (site: DemoSiteId, place: number) =>
  (site === 'MPE' && place <= 2 ? 1_500_000_000 : 2_500_000_000) + 100 * (SITE_IDS.indexOf(site) + 1) + place

/** Times are relative to the origin. `taken` collects the nicknames of all sites. */
export function peopleOf(id: DemoSiteId, r: Random, taken: Set<string>): Cast {
  const site = SITES[id]
  const test = (offset: number, nickname: string, years: number): Person => {
    const person = createPerson(id, idOf(id, offset), site.home, r.fork(nickname))
    person.row.nickname = nickname
    person.row.tags = JSON.stringify(['normal', 'test_user'])
    person.row.email = `${nickname.toLowerCase().replaceAll('_', '.')}@example.com`
    person.row.registration_date = -Math.floor(years * 365) * DAY
    person.typing = 'neat'
    return person
  }
  const seller = test(1, site.seller.nickname, r.int(40, 95) / 10)
  const sold = Math.floor(site.seller.sales * r.int(900, 1100))
  seller.row.level_id = site.seller.level_id
  seller.row.power_seller_status = site.seller.power_seller_status
  seller.row.sales_completed = sold
  // A seller is yellow because of cancelled sales.
  const share = { '5_green': 8, '4_light_green': 20, '3_yellow': 45 }[site.seller.level_id]
  seller.row.sales_canceled = Math.floor((sold * share) / 1000)
  const crowd = Array.from({ length: SHOPPERS }, (_, i) => {
    const own = r.fork(`shopper ${i + 1}`)
    const place = own.chance(0.55) ? site.home : own.pick(site.elsewhere)
    return withNickname(createPerson(id, idOf(id, 11 + i), place, own), own, taken)
  })
  return {
    seller,
    buyers: [1, 2].map((n) => test(1 + n, `${site.buyer}_${n}`, r.int(10, 40) / 10)),
    shoppers: crowd.slice(0, -SPAMMERS),
    spammers: crowd.slice(-SPAMMERS),
  }
}

function createPerson(site_id: DemoSiteId, id: number, place: Place, r: Random): Person {
  const site = SITES[site_id]
  const first_name = r.pick(site.firstNames)
  const last_name = r.pick(site.lastNames)
  const row: UserRow = {
    id,
    site_id,
    nickname: '',
    password: `qatest${r.int(1000, 9999)}`,
    email: `${plain(first_name)}.${plain(last_name)}${r.int(1, 999)}@${r.pick(MAIL)}`.toLowerCase(),
    first_name,
    last_name,
    phone: digits(site.phone, r),
    address: JSON.stringify({
      address: addressOf(r.pick(site.streets), r),
      city: place.city,
      state: place.state,
      zip_code: digits(place.zip, r),
    }),
    user_type: 'normal',
    tags: JSON.stringify(['normal']),
    level_id: null,
    power_seller_status: null,
    sales_completed: 0,
    sales_canceled: 0,
    status: 'active',
    registration_date: -r.int(200, 4200) * DAY - r.int(0, 86_399) * 1000,
  }
  return { row, city: place.city, typing: TYPING_STYLES[r.weighted([50, 32, 18])]! }
}

function withNickname(person: Person, r: Random, taken: Set<string>): Person {
  const { first_name, last_name } = person.row
  const name = r.pick([`${first_name}${last_name}`, `${last_name}.${first_name}`, `${first_name[0]}${last_name}`])
  do person.row.nickname = plain(name).toUpperCase() + (r.chance(0.5) ? r.int(60, 99) : r.int(1000, 9999))
  while (taken.has(person.row.nickname))
  taken.add(person.row.nickname)
  return person
}

/** Colombian streets end in a plate number (`#12-34`), the others get a house number. */
function addressOf(street: string, r: Random): string {
  return street.endsWith('-') ? `${street}${r.int(10, 98)}` : `${street} ${r.int(100, 4900)}`
}

const digits = (pattern: string, r: Random) => pattern.replace(/#/g, () => String(r.int(0, 9)))

const plain = (text: string) => text.normalize('NFD').replace(/[^A-Za-z.]/g, '')
