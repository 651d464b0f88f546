// The listings and buyers that test leads name. They are not stored: their ids contain the id of the seller, and what
// they are is computed when they are read [spec: credits.test_leads.subjects].

type SiteWithCredits = 'MLB' | 'MLC'

interface TestItem {
  site_id: SiteWithCredits
  title: string
  price: number
}

/** By number. */
export const TEST_ITEMS: TestItem[] = [
  { site_id: 'MLB', title: 'Carro de teste', price: 180_000 },
  { site_id: 'MLB', title: 'Moto de teste', price: 42_000 },
  { site_id: 'MLC', title: 'Departamento de prueba', price: 95_000_000 },
  { site_id: 'MLC', title: 'Casa de prueba', price: 140_000_000 },
]

interface TestBuyer {
  site_id: SiteWithCredits
  first_name: string
  last_name: string
  city: string
  email: string
  phone: string
}

/** By number. */
export const TEST_BUYERS: TestBuyer[] = [
  buyer('MLB', 'João', 'Oliveira', 'joao.oliveira', '+55 11 5555 0128'),
  buyer('MLB', 'Beatriz', 'Souza', 'beatriz.souza', '+55 21 5555 0175'),
  buyer('MLB', 'Rafael', 'Almeida', 'rafael.almeida', '+55 31 5555 0142'),
  buyer('MLC', 'Camila', 'Rojas', 'camila.rojas', '+56 2 5555 0163'),
  buyer('MLC', 'Diego', 'Fuentes', 'diego.fuentes', '+56 2 5555 0117'),
  buyer('MLC', 'Lucía', 'Contreras', 'lucia.contreras', '+56 2 5555 0109'),
]

function buyer(
  site_id: SiteWithCredits,
  first_name: string,
  last_name: string,
  mailbox: string,
  phone: string,
): TestBuyer {
  const city = site_id === 'MLB' ? 'São Paulo' : 'Santiago'
  return { site_id, first_name, last_name, city, email: `${mailbox}@example.com`, phone }
}

/** A subject of a seller's test leads, by its number. */
interface TestSubject {
  seller_id: number
  n: number
}

// Seven, the number, the seller. Buyers are integers of JSON: an id of a seller with more digits leaves no room.
const ITEM_ID = /^(M[A-Z]{2})7(\d)([1-9]\d{0,15})$/
const BUYER_ID = /^7(\d)([1-9]\d{0,13})$/

export const testItemId = (n: number, seller_id: number): string => `${TEST_ITEMS[n]!.site_id}7${n}${seller_id}`
export const testBuyerId = (n: number, seller_id: number): number => Number(`7${n}${seller_id % 1e14}`)

/** The test listing that an id names; undefined if it names none. */
export function parseTestItemId(id: string): TestSubject | undefined {
  const [, site, n, seller] = ITEM_ID.exec(id) ?? []
  if (TEST_ITEMS[Number(n)]?.site_id !== site) return undefined
  return site === undefined ? undefined : { n: Number(n), seller_id: Number(seller) }
}

/** The test buyer that an id names; undefined if it names none. */
export function parseTestBuyerId(id: number): TestSubject | undefined {
  const [, n, seller] = BUYER_ID.exec(String(id)) ?? []
  return n === undefined || !TEST_BUYERS[Number(n)] ? undefined : { n: Number(n), seller_id: Number(seller) }
}
