import { type Area, plain } from './area.ts'
import { MCO } from './mco.ts'
import { MEC } from './mec.ts'
import { MLA } from './mla.ts'
import { MLB } from './mlb.ts'
import { MLC } from './mlc.ts'
import { MLM } from './mlm.ts'
import { MLU } from './mlu.ts'
import { MPE } from './mpe.ts'

export { type Area, outlineOf, SCOPES, type Scope, scopeOf, type Zone } from './area.ts'

export const FLEX_SITES = ['MLA', 'MLB', 'MLM', 'MLC', 'MCO', 'MLU', 'MPE', 'MEC'] as const
export type FlexSite = (typeof FLEX_SITES)[number]

export const AREAS: Record<FlexSite, readonly Area[]> = { MLA, MLB, MLM, MLC, MCO, MLU, MPE, MEC }

/** Notation of prices: the currency of the site. */
export const MONEY: Record<FlexSite, { currency_id: string; symbol: string; decimal_separator: string }> = {
  MLA: { currency_id: 'ARS', symbol: '$', decimal_separator: ',' },
  MLB: { currency_id: 'BRL', symbol: 'R$', decimal_separator: ',' },
  MLM: { currency_id: 'MXN', symbol: '$', decimal_separator: '.' },
  MLC: { currency_id: 'CLP', symbol: '$', decimal_separator: ',' },
  MCO: { currency_id: 'COP', symbol: '$', decimal_separator: ',' },
  MLU: { currency_id: 'UYU', symbol: '$', decimal_separator: ',' },
  MPE: { currency_id: 'PEN', symbol: 'S/.', decimal_separator: '.' },
  MEC: { currency_id: 'USD', symbol: 'US$', decimal_separator: '.' },
}

const keyOf = (site: string, city: string) => `${site} ${plain(city).toLowerCase().trim()}`

// Two countries can have a city of the same name, so the site is part of the key.
const BY_CITY: ReadonlyMap<string, Area> = new Map(
  FLEX_SITES.flatMap((site) =>
    AREAS[site].flatMap((area) => area.cities.map((city) => [keyOf(site, city), area] as const)),
  ),
)

/**
 * The area that a city of a site belongs to, whatever its letter case and accents; undefined where Flex does not go.
 */
export function areaOf(site: string, city: string): Area | undefined {
  return BY_CITY.get(keyOf(site, city))
}
