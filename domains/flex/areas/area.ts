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
export function area(name: string, cities: string, ...zones: Zone[]): Area {
  return { name, cities: list(cities), zones }
}
