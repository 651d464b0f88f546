export interface Zone {
  id: string
  label: string
  neighborhoods: readonly string[]
  price: { fraction: string; cents: string }
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
  return { id, label, neighborhoods: list(neighborhoods), price: { fraction, cents }, mandatory: false }
}

/** A mandatory zone: every seller of the area serves it. */
export function central(...parts: Parameters<typeof zone>): Zone {
  return { ...zone(...parts), mandatory: true }
}

/** An area; `cities` of the senders, separated by commas; zones from the centre outwards. */
export function area(name: string, cities: string, ...zones: Zone[]): Area {
  return { name, cities: list(cities), zones }
}
