import { LEAVES } from './leaves.ts'

// What the categories ask of a listing, until a catalogue has it.

/** The category "Others" of each site, which asks for nothing. */
const OTHERS = '3530'

/** A leaf category, with what it asks of a listing. */
export interface Category {
  required: readonly string[]
  minimum_price: number
  max_title_length: number
}

/** A leaf category of a site; undefined if listings cannot be in it. */
export function categoryOf(site_id: string, id: string): Category | undefined {
  const number = id.startsWith(site_id) ? id.slice(site_id.length) : ''
  if (number !== OTHERS && !Object.hasOwn(LEAVES, number)) return undefined
  return { required: number === OTHERS ? [] : ['BRAND', 'MODEL'], minimum_price: 1, max_title_length: 60 }
}

/** Names of attributes that are sent without one. */
export const ATTRIBUTE_NAMES: Readonly<Record<string, string>> = {
  BRAND: 'Marca',
  MODEL: 'Modelo',
  COLOR: 'Color',
  SIZE: 'Talle',
  GTIN: 'Código universal de producto',
}
