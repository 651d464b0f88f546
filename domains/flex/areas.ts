import { withoutAccents } from '../shared/texts.ts'
import { AREA_TEXTS } from './area_texts.ts'

export interface Zone {
  id: string
  label: string
  neighborhoods: readonly string[]
  price: { fraction: string; cents: string }
  /** Served by default. */
  central: boolean
  /** Every seller of the area serves it; at most one of an area. */
  mandatory: boolean
}

export interface Area {
  name: string
  /** Longitude and latitude. */
  centre: readonly [number, number]
  cities: readonly string[]
  zones: readonly Zone[]
}

export type FlexSite = keyof typeof AREA_TEXTS
export const FLEX_SITES = Object.keys(AREA_TEXTS) as FlexSite[]

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

const listOf = (text: string): readonly string[] => text.trim().split(/,\s+/)

function readArea(paragraph: string): Area {
  const [first, ...lines] = paragraph.trim().split('\n')
  const [name, centre] = first!.split(': ') as [string, string]
  return {
    name,
    centre: listOf(centre).map(Number) as [number, number],
    cities: listOf(lines.filter((line) => !line.includes('|')).join('\n')),
    zones: lines.filter((line) => line.includes('|')).map(readZone),
  }
}

function readZone(line: string): Zone {
  const [kind, label, price, neighborhoods] = line.split('|').map((part) => part.trim()) as [
    string,
    string,
    string,
    string,
  ]
  const [fraction, cents] = price.split(',') as [string, string]
  return {
    id: withoutAccents(label).replaceAll(' ', '_'),
    label,
    neighborhoods: listOf(neighborhoods),
    price: { fraction, cents },
    central: kind !== 'zone',
    mandatory: kind === 'mandatory',
  }
}

export const AREAS = Object.fromEntries(
  FLEX_SITES.map((site) => [site, AREA_TEXTS[site].split('\n\n').map(readArea)]),
) as unknown as Record<FlexSite, readonly Area[]>

const keyOf = (site: string, city: string) => `${site} ${withoutAccents(city).toLowerCase().trim()}`

// Two countries can have a city of the same name, so the site is part of the key.
const BY_CITY: ReadonlyMap<string, Area> = new Map(
  FLEX_SITES.flatMap((site) =>
    AREAS[site].flatMap((area) => area.cities.map((city) => [keyOf(site, city), area] as const)),
  ),
)

/** The area that a city of a site belongs to, whatever its letter case and accents; undefined where Flex does not go. */
export const areaOf = (site: string, city: string): Area | undefined => BY_CITY.get(keyOf(site, city))

export const SCOPES = ['LocalInterno', 'LocalAdyacente', 'LocalLejano'] as const
export type Scope = (typeof SCOPES)[number]

/** How far from the centre a zone lies: the central ones, then the nearer and the farther half of the others. */
export function scopeOf({ zones }: Area, zone: Zone): Scope {
  const others = zones.filter(({ central }) => !central)
  if (zone.central) return 'LocalInterno'
  return others.indexOf(zone) < others.length / 2 ? 'LocalAdyacente' : 'LocalLejano'
}

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
  [-1, -1],
] as const
/** An invented outline, degrees: a square on a spiral around the centre. */
export function outlineOf({ zones, centre: [lng, lat] }: Area, zone: Zone): number[][] {
  const n = zones.indexOf(zone)
  const [x, y] = [lng + 0.08 * Math.sqrt(n) * Math.cos(2.4 * n), lat + 0.08 * Math.sqrt(n) * Math.sin(2.4 * n)]
  return CORNERS.map(([east, north]) => [x + 0.03 * east, y + 0.03 * north].map((degree) => Number(degree.toFixed(6))))
}
