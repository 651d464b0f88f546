import { derived } from '../../db/ids.ts'
import type { UserRow } from './queries.ts'
import type { SiteId } from './sites.ts'

// The documents of users. Nothing is stored: they are invented from the user's id.

/** A kind of document: how many digits it has before those that check them. */
interface Kind {
  type: string
  digits: number
  /** Begins every number. */
  prefix?: string
  check?: (digits: string) => string
}

/** Weights of the digits, the last one first, and repeated; 10 has a sign of its own. */
const mod11 = (weights: number[], ten: string) => (digits: string) => {
  const sum = [...digits].reverse().reduce((sum, digit, n) => sum + Number(digit) * weights[n % weights.length]!, 0)
  const rest = (sum * 10) % 11
  return rest === 10 ? ten : String(rest)
}
const twice = (check: (digits: string) => string) => (digits: string) => {
  const first = check(digits)
  return first + check(digits + first)
}
const FROM_2_TO_7 = [2, 3, 4, 5, 6, 7]
const FROM_2_TO_9 = [...FROM_2_TO_7, 8, 9]
const FROM_2_TO_11 = [...FROM_2_TO_9, 10, 11]
const rut = (digits: string) => `-${mod11(FROM_2_TO_7, 'K')(digits)}`

/** The documents of persons and of companies, [spec: orders.billing.documents]. */
const KINDS: { [Site in SiteId]?: readonly [person: Kind, company: Kind] } = {
  MLA: [
    { type: 'DNI', digits: 7, prefix: '3' },
    { type: 'CUIT', digits: 7, prefix: '307', check: mod11(FROM_2_TO_7, '9') },
  ],
  MLB: [
    { type: 'CPF', digits: 9, check: twice(mod11(FROM_2_TO_11, '0')) },
    { type: 'CNPJ', digits: 8, check: (digits) => `0001${twice(mod11(FROM_2_TO_9, '0'))(`${digits}0001`)}` },
  ],
  MLM: [
    { type: 'RFC', digits: 9, prefix: 'XEXX' },
    { type: 'RFC', digits: 9, prefix: 'XEX' },
  ],
  MLC: [
    { type: 'RUT', digits: 7, prefix: '1', check: rut },
    { type: 'RUT', digits: 6, prefix: '76', check: rut },
  ],
  MCO: [
    { type: 'CC', digits: 9, prefix: '1' },
    { type: 'NIT', digits: 7, prefix: '90' },
  ],
  MLU: [
    { type: 'CI', digits: 7, prefix: '4' },
    { type: 'RUT', digits: 10, prefix: '21' },
  ],
  MPE: [
    { type: 'DNI', digits: 7, prefix: '4' },
    { type: 'RUC', digits: 9, prefix: '20' },
  ],
}
const OTHER_KINDS: readonly [person: Kind, company: Kind] = [
  { type: 'CI', digits: 9, prefix: '1' },
  { type: 'RUC', digits: 12, prefix: '1' },
]

/** One user in eight is a company. */
const COMPANIES = 8

/** The document with which a user is registered. */
export function documentOf(user: UserRow): { type: string; number: string; isCompany: boolean } {
  const hex = derived('billing', String(user.id), 14)
  const isCompany = Number.parseInt(hex[13]!, 16) % COMPANIES === 0
  const { type, prefix = '', digits, check } = (KINDS[user.site_id as SiteId] ?? OTHER_KINDS)[isCompany ? 1 : 0]
  const body = prefix + String(Number.parseInt(hex.slice(0, 13), 16) % 10 ** digits).padStart(digits, '0')
  return { type, number: body + (check?.(body) ?? ''), isCompany }
}
