import type { DemoSiteId, Product } from '../../domains/demo.ts'
import { COLOURS } from '../../domains/items/categories.ts'
import type { AttributeValue, ItemDetails, Variation } from '../../domains/items/details.ts'
import type { Random } from '../../domains/shared/demo/random.ts'

// What a listing of the demo has beside its columns.

/** Of no real maker. */
const BRANDS = ['Tarvik', 'Onduma', 'Velkor', 'Brisana', 'Quimbel', 'Zentaro', 'Altubia', 'Morvento'] as const

const WORDS = {
  es: {
    colour: 'Color',
    size: 'Talle',
    gtin: 'Código universal de producto',
    area: 'Superficie cubierta',
    months: 'meses',
    warranty: 'Garantía del vendedor',
    kind: 'Tipo de garantía',
    time: 'Tiempo de garantía',
  },
  pt: {
    colour: 'Cor',
    size: 'Tamanho',
    gtin: 'Código universal de produto',
    area: 'Área útil',
    months: 'meses',
    warranty: 'Garantia do vendedor',
    kind: 'Tipo de garantia',
    time: 'Tempo de garantia',
  },
}
const SIZES = { clothing: ['S', 'M', 'L', 'XL'], shoes: ['38', '39', '40', '41', '42'] }

/** How each kind is listed; a parcel is as listings are by default. */
const LISTED: Record<Product['category'], ItemDetails> = {
  parcel: {},
  bulky: { shipping: { local_pick_up: true } },
  car: { buying_mode: 'classified', listing_type_id: 'gold_premium', condition: 'used' },
  motorbike: { buying_mode: 'classified', listing_type_id: 'silver', condition: 'used' },
  flat: { buying_mode: 'classified', listing_type_id: 'gold', condition: 'not_specified' },
}

const SUB_STATUSES = { paused: 'paused_by_seller', under_review: 'waiting_for_patch', inactive: 'held' } as const

interface Place {
  /** Which of the seller's listings: the kind of an id is the same under every seed. */
  index: number
  id: string
  site_id: DemoSiteId
  language: 'es' | 'pt'
  status: string
  price: number
  available_quantity: number
  product: Product
}

const value = (id: string, name: string, value_name: string, value_id: string | null = null): AttributeValue => ({
  ...{ id, name, value_id, value_name },
})

export function detailsOf(place: Place, r: Random): ItemDetails {
  const { index, id, site_id, language, status, product } = place
  const isParcel = product.category === 'parcel'
  const words = WORDS[language]
  const months = r.pick([3, 6, 12])
  const brand = r.pick(BRANDS)
  const pictures = Array.from({ length: r.int(1, 4) }, () => `${r.int(600_000, 999_999)}-${id}_${monthOf(r)}`)
  const details: ItemDetails = { ...LISTED[product.category], pictures, health: r.int(60, 100) / 100 }
  if (product.category !== 'flat') {
    const model = value('MODEL', 'Modelo', `${brand.slice(0, 2).toUpperCase()}-${r.int(100, 999)}`)
    details.attributes = [value('BRAND', 'Marca', brand), model]
    if (isParcel) details.attributes.push(value('GTIN', words.gtin, gtinOf(r)))
  } else details.attributes = [value('COVERED_AREA', words.area, `${r.int(38, 95)} m²`)]
  if (isParcel || product.category === 'bulky') {
    details.warranty = `${words.warranty}: ${months} ${words.months}`
    details.sale_terms = [
      value('WARRANTY_TYPE', words.kind, words.warranty, '2230280'),
      value('WARRANTY_TIME', words.time, `${months} ${words.months}`),
    ]
  }
  if (isParcel) {
    if (r.chance(0.3)) details.listing_type_id = 'gold_pro'
    if (index % 5 === 4) details.catalog_product_id = `${site_id}${r.int(10_000_000, 49_999_999)}`
    if (index % 10 === 4) details.catalog_listing = true
    // Beyond the listings that are in Flex, and those that tests offer with it.
    if (index === 11) details.shipping = { free_shipping: true, logistic_type: 'cross_docking' }
    if (index === 12) details.shipping = { free_shipping: true, logistic_type: 'fulfillment' }
    if (status === 'closed') details.condition = 'used'
    const variations = variationsOf(place, pictures, r)
    if (variations.length > 0) details.variations = variations
  }
  const sub_status = SUB_STATUSES[status as keyof typeof SUB_STATUSES]
  if (sub_status) details.sub_status = [sub_status]
  return details
}

/** Not of the listing's date: another week changes times only. */
const monthOf = (r: Random) => `${String(r.int(1, 12)).padStart(2, '0')}2023`

/** EAN-13 of the range for use within a shop. */
function gtinOf(r: Random): string {
  const digits = `2${String(r.int(0, 99_999_999_999)).padStart(11, '0')}`
  const sum = [...digits].reduce((sum, digit, n) => sum + Number(digit) * (n % 2 === 0 ? 1 : 3), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

/** Colours or sizes of the first listings whose product has them; their stock is that of the listing. */
function variationsOf(
  { index, id, language, price, available_quantity, product }: Place,
  pictures: string[],
  r: Random,
) {
  const { colour, size } = WORDS[language]
  const sizes = product.tags.includes('shoes') ? SIZES.shoes : SIZES.clothing
  const values = product.tags.includes('sized')
    ? sizes.map((name) => value('SIZE', size, name))
    : product.tags.includes('colour')
      ? COLOURS.map((one) => value('COLOR', colour, one[language], one.id))
      : []
  const picked = values.slice(0, Math.min(r.int(2, 4), available_quantity))
  if (index >= 12 || picked.length < 2) return []
  const share = Math.floor(available_quantity / picked.length)
  return picked.map(
    (combination, n): Variation => ({
      id: Number(id.slice(3)) * 1000 + n + 1,
      price,
      available_quantity: n === 0 ? available_quantity - share * (picked.length - 1) : share,
      sold_quantity: 0,
      attribute_combinations: [combination],
      picture_ids: pictures.slice(0, 1),
    }),
  )
}

const TEXTS = {
  es: {
    parcel: 'Producto nuevo, en su caja original. Despachamos el mismo día hábil si compras antes de las 13.',
    bulky: 'Producto nuevo. El envío se coordina después de la compra; también se puede retirar en nuestro depósito.',
    car: 'Se entrega con la documentación al día. Se puede ver y probar con cita previa.',
    motorbike: 'Se entrega con la documentación al día. Se puede ver y probar con cita previa.',
    flat: 'Disponible de inmediato. Las visitas se coordinan de lunes a sábado.',
    brand: 'Marca',
    model: 'modelo',
    questions: 'Para cualquier duda están las preguntas de esta publicación.',
  },
  pt: {
    parcel: 'Produto novo, na caixa original. Despachamos no mesmo dia útil para compras até as 13h.',
    bulky: 'Produto novo. O envio é combinado depois da compra; também é possível retirar no nosso depósito.',
    car: 'Entregue com a documentação em dia. Pode ser visto e testado com hora marcada.',
    motorbike: 'Entregue com a documentação em dia. Pode ser vista e testada com hora marcada.',
    flat: 'Disponível de imediato. As visitas são combinadas de segunda a sábado.',
    brand: 'Marca',
    model: 'modelo',
    questions: 'Qualquer dúvida, use as perguntas deste anúncio.',
  },
}

export function descriptionOf(
  title: string,
  language: 'es' | 'pt',
  { category }: Product,
  details: ItemDetails,
): string {
  const words = TEXTS[language]
  const [brand, model] = details.attributes ?? []
  const made = brand && model ? [`${words.brand} ${brand.value_name}, ${words.model} ${model.value_name}.`] : []
  const warranty = details.warranty ? [`${details.warranty}.`] : []
  return [`${title}.`, ...made, words[category], ...warranty, words.questions].join('\n')
}
