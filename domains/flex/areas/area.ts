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

/** A zone that a seller may leave out; the neighbourhoods are one list with commas. */
export function zone(id: string, label: string, fraction: string, cents: string, neighborhoods: string): Zone {
  return { id, label, neighborhoods: list(neighborhoods), price: { fraction, cents }, mandatory: false }
}

/** A zone near the centre, which every seller of the area has to serve. */
export function central(...parts: Parameters<typeof zone>): Zone {
  return { ...zone(...parts), mandatory: true }
}

/** An area with the cities from which one can send, as one list with commas, and its zones from the centre outwards. */
export function area(name: string, cities: string, ...zones: Zone[]): Area {
  return { name, cities: list(cities), zones }
}
