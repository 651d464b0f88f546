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

/** An optional zone; `neighborhoods` separated by commas. */
export function zone(id: string, label: string, fraction: string, cents: string, neighborhoods: string): Zone {
  return { id, label, neighborhoods: list(neighborhoods), price: { fraction, cents }, central: false, mandatory: false }
}

/** An optional zone that is served by default. */
export function central(...parts: Parameters<typeof zone>): Zone {
  return { ...zone(...parts), central: true }
}

/** A zone that every seller of the area serves. */
export function mandatory(...parts: Parameters<typeof zone>): Zone {
  return { ...central(...parts), mandatory: true }
}

/** An area; `cities` of the senders, separated by commas; zones from the centre outwards. */
export function area(name: string, centre: readonly [number, number], cities: string, ...zones: Zone[]): Area {
  return { name, centre, cities: list(cities), zones }
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
