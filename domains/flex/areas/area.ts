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

const list = (text: string): readonly string[] => text.trim().split(/,\s+/)

/** The text without accents. */
export const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')

/**
 * An area; `cities` of the senders, separated by commas. `zones` from the centre outwards, one in a line: `zone` for one that
 * a seller chooses, `central` if it is served by default, `mandatory` if every seller serves it; its name, price and
 * neighborhoods.
 */
export function area(name: string, centre: readonly [number, number], cities: string, zones: string): Area {
  return { name, centre, cities: list(cities), zones: zones.trim().split('\n').map(readZone) }
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
    id: plain(label).replaceAll(' ', '_'),
    label,
    neighborhoods: list(neighborhoods),
    price: { fraction, cents },
    central: kind !== 'zone',
    mandatory: kind === 'mandatory',
  }
}

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
