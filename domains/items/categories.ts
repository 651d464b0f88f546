// The leaf categories, by their number: the id of a category is a site and the number.

export interface Leaf {
  /** Number of the root above it. */
  root: number
  /** Kind of product: the domain of a site is the site, `-` and this word; null for what has no category of its own. */
  domain: string | null
  es: string
  pt: string
}

const leaf = (root: number, domain: string | null, es: string, pt: string): Leaf => ({ root, domain, es, pt })

export const ROOTS: Readonly<Record<number, { es: string; pt: string }>> = {
  1000: { es: 'Electrónica, Audio y Video', pt: 'Eletrônicos, Áudio e Vídeo' },
  1051: { es: 'Celulares y Teléfonos', pt: 'Celulares e Telefones' },
  1648: { es: 'Computación', pt: 'Informática' },
  1574: { es: 'Hogar, Muebles y Jardín', pt: 'Casa, Móveis e Decoração' },
  1430: { es: 'Ropa y Accesorios', pt: 'Calçados, Roupas e Bolsas' },
  1276: { es: 'Deportes y Fitness', pt: 'Esportes e Fitness' },
  5725: { es: 'Accesorios para Vehículos', pt: 'Acessórios para Veículos' },
  1743: { es: 'Autos, Motos y Otros', pt: 'Carros, Motos e Outros' },
  1459: { es: 'Inmuebles', pt: 'Imóveis' },
  1953: { es: 'Otras categorías', pt: 'Mais Categorias' },
}

/** Numbers stay as they are: listings of stored worlds have them. */
export const LEAVES: Readonly<Record<number, Leaf>> = {
  7001: leaf(1000, 'SPEAKERS', 'Parlantes', 'Caixas de Som'),
  7002: leaf(1000, 'HEADPHONES', 'Auriculares', 'Fones de Ouvido'),
  7003: leaf(1000, 'SURVEILLANCE_CAMERAS', 'Cámaras de Seguridad', 'Câmeras de Segurança'),
  7004: leaf(1051, 'SMARTWATCHES', 'Relojes Inteligentes', 'Relógios Inteligentes'),
  7005: leaf(1051, 'CHARGERS', 'Cargadores', 'Carregadores'),
  7006: leaf(1051, 'TRIPODS', 'Trípodes', 'Tripés'),
  7007: leaf(1648, 'KEYBOARDS_AND_MICE', 'Teclados y Mouses', 'Teclados e Mouses'),
  7008: leaf(1648, 'LAPTOP_ACCESSORIES', 'Accesorios para Notebooks', 'Acessórios para Notebooks'),
  7009: leaf(1574, 'SMALL_APPLIANCES', 'Electrodomésticos de Cocina', 'Eletroportáteis de Cozinha'),
  7010: leaf(1574, 'KITCHENWARE', 'Utensilios de Cocina', 'Utensílios de Cozinha'),
  7011: leaf(1574, 'BEDDING', 'Ropa de Cama', 'Roupa de Cama'),
  7012: leaf(1574, 'LAMPS', 'Lámparas', 'Luminárias'),
  7013: leaf(1574, 'CURTAINS_AND_RUGS', 'Cortinas y Alfombras', 'Cortinas e Tapetes'),
  7014: leaf(1574, 'ORGANIZERS', 'Organizadores', 'Organizadores'),
  7015: leaf(1574, 'FURNITURE', 'Muebles', 'Móveis'),
  7016: leaf(1430, 'SHIRTS', 'Remeras y Buzos', 'Camisetas e Moletons'),
  7017: leaf(1430, 'JACKETS', 'Camperas', 'Jaquetas'),
  7018: leaf(1430, 'PANTS', 'Pantalones', 'Calças'),
  7019: leaf(1430, 'BACKPACKS', 'Mochilas', 'Mochilas'),
  7020: leaf(1430, 'FOOTWEAR', 'Calzado', 'Calçados'),
  7021: leaf(1276, 'FITNESS_EQUIPMENT', 'Musculación y Yoga', 'Musculação e Ioga'),
  7022: leaf(1276, 'OUTDOOR_EQUIPMENT', 'Ciclismo, Camping y Pelotas', 'Ciclismo, Camping e Bolas'),
  7023: leaf(5725, 'VEHICLE_PARTS', 'Repuestos y Accesorios', 'Peças e Acessórios'),
  7024: leaf(1743, 'CARS_AND_VANS', 'Autos y Camionetas', 'Carros e Caminhonetes'),
  7025: leaf(1743, 'MOTORCYCLES', 'Motos', 'Motos'),
  7026: leaf(1459, 'APARTMENTS', 'Departamentos', 'Apartamentos'),
  3530: leaf(1953, null, 'Otros', 'Outros'),
}

/** The ids of the leaves that a category of a site is or has below it; none of an unknown one. */
export const leavesBelow = (site_id: string, id: string): string[] =>
  Object.entries(LEAVES)
    .filter(([number, { root }]) => id === `${site_id}${number}` || id === `${site_id}${root}`)
    .map(([number]) => `${site_id}${number}`)

/** The category of a listing; that of other articles for one of no particular category. */
export const categoryIdOf = (row: { site_id: string; category_id: string | null }): string =>
  row.category_id ?? `${row.site_id}3530`

/** The domain of a category of a site; null for one that is none of the leaves. */
export function domainOfCategory(site_id: string, category_id: string | null): string | null {
  const domain = category_id?.startsWith(site_id) ? LEAVES[Number(category_id.slice(site_id.length))]?.domain : null
  return domain ? `${site_id}-${domain}` : null
}

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
