import { LEAVES, type Leaf } from './leaves.ts'

// What the categories ask of a listing, and the attributes that several domains name.

/** A leaf category, with what it asks of a listing. */
export interface Category {
  required: readonly string[]
  minimum_price: number
  max_title_length: number
}

export const MAX_PICTURES = 12

const FLATS = 1459
const requiredOf = ({ root, domain }: Leaf) =>
  domain === null ? [] : root === FLATS ? ['COVERED_AREA'] : ['BRAND', 'MODEL']

/** A leaf category of a site; undefined if listings cannot be in it. */
export function categoryOf(site_id: string, id: string): Category | undefined {
  const number = id.startsWith(site_id) ? id.slice(site_id.length) : ''
  if (!Object.hasOwn(LEAVES, number)) return undefined
  return { required: requiredOf(LEAVES[Number(number)]!), minimum_price: 1, max_title_length: 60 }
}

/** Names of attributes, in the two languages. */
export const ATTRIBUTE_NAMES: Readonly<Record<string, { es: string; pt: string }>> = {
  BRAND: { es: 'Marca', pt: 'Marca' },
  MODEL: { es: 'Modelo', pt: 'Modelo' },
  COLOR: { es: 'Color', pt: 'Cor' },
  SIZE: { es: 'Talle', pt: 'Tamanho' },
  GTIN: { es: 'Código universal de producto', pt: 'Código universal de produto' },
  SELLER_SKU: { es: 'SKU', pt: 'SKU' },
  ITEM_CONDITION: { es: 'Condición del ítem', pt: 'Condição do item' },
}

/** Values of ITEM_CONDITION. */
export const CONDITION_NAMES = {
  new: { value_id: '2230284', es: 'Nuevo', pt: 'Novo' },
  used: { value_id: '2230581', es: 'Usado', pt: 'Usado' },
  not_specified: { value_id: null, es: 'No especificado', pt: 'Não especificado' },
}

/** Values of COLOR. */
export const COLOURS = [
  { id: '52049', es: 'Negro', pt: 'Preto' },
  { id: '52055', es: 'Blanco', pt: 'Branco' },
  { id: '52028', es: 'Azul', pt: 'Azul' },
  { id: '51993', es: 'Rojo', pt: 'Vermelho' },
] as const
