import { ATTRIBUTE_NAMES, COLOURS, CONDITION_NAMES, categoryOf } from '../items/categories.ts'
import { type CategoryNode, isClassified, languageOf } from './categories.ts'
import type { CategoryAttribute } from './schemas.ts'

// The attributes of categories, and the terms of sale, in the two languages [spec: catalogue.attributes].

type Language = 'es' | 'pt'
interface Kind {
  es: string
  pt: string
  type?: CategoryAttribute['value_type']
  tags?: CategoryAttribute['tags']
  values?: readonly { id: string; es: string; pt: string }[]
  units?: readonly string[]
}

/** The same in both languages. */
const same = (id: string, text: string) => ({ id, es: text, pt: text })
const CONDITIONS = Object.values(CONDITION_NAMES).flatMap(({ value_id, es, pt }) =>
  value_id === null ? [] : [{ id: value_id, es, pt }],
)
const HIDDEN = { hidden: true } as const
const VARIES = { allow_variations: true } as const
const measure = (es: string, pt: string, units: readonly string[], tags: Kind['tags'] = {}): Kind => ({
  ...{ es, pt, type: 'number_unit', units, tags },
})
const sizes = ['S', 'M', 'L', 'XL', '38', '39', '40', '41', '42'].map((name, n) => same(String(3259401 + n), name))

const KINDS: Readonly<Record<string, Omit<Kind, 'es' | 'pt'> & Partial<Kind>>> = {
  BRAND: { tags: { catalog_required: true } },
  MODEL: { tags: { catalog_required: true } },
  COLOR: { type: 'list', tags: VARIES, values: COLOURS },
  SIZE: { type: 'list', tags: VARIES, values: sizes },
  GTIN: { tags: { variation_attribute: true } },
  SELLER_SKU: { tags: { ...HIDDEN, variation_attribute: true } },
  ITEM_CONDITION: { type: 'list', tags: HIDDEN, values: CONDITIONS },
  VEHICLE_YEAR: { es: 'Año', pt: 'Ano', type: 'number' },
  KILOMETERS: measure('Kilómetros', 'Quilômetros', ['km']),
  FUEL_TYPE: {
    ...{ es: 'Tipo de combustible', pt: 'Tipo de combustível', type: 'list' },
    values: [same('64364', 'Diesel'), { id: '64365', es: 'Nafta', pt: 'Gasolina' }],
  },
  COVERED_AREA: measure('Superficie cubierta', 'Área útil', ['m²']),
  TOTAL_AREA: measure('Superficie total', 'Área total', ['m²']),
  BEDROOMS: { es: 'Dormitorios', pt: 'Quartos', type: 'number' },
  FULL_BATHROOMS: { es: 'Baños', pt: 'Banheiros', type: 'number' },
  PARKING_LOTS: { es: 'Cocheras', pt: 'Vagas', type: 'number' },
  FURNISHED: {
    ...{ es: 'Amoblado', pt: 'Mobiliado', type: 'boolean' },
    values: [
      { id: '242084', es: 'No', pt: 'Não' },
      { id: '242085', es: 'Sí', pt: 'Sim' },
    ],
  },
  PACKAGE_HEIGHT: measure('Altura del paquete', 'Altura da embalagem', ['cm'], HIDDEN),
  PACKAGE_WIDTH: measure('Ancho del paquete', 'Largura da embalagem', ['cm'], HIDDEN),
  PACKAGE_LENGTH: measure('Largo del paquete', 'Comprimento da embalagem', ['cm'], HIDDEN),
  PACKAGE_WEIGHT: measure('Peso del paquete', 'Peso da embalagem', ['g', 'kg'], HIDDEN),
  WARRANTY_TYPE: {
    ...{ es: 'Tipo de garantía', pt: 'Tipo de garantia', type: 'list' },
    values: [
      { id: '2230279', es: 'Garantía de fábrica', pt: 'Garantia de fábrica' },
      { id: '2230280', es: 'Garantía del vendedor', pt: 'Garantia do vendedor' },
      { id: '6150835', es: 'Sin garantía', pt: 'Sem garantia' },
    ],
  },
  WARRANTY_TIME: measure('Tiempo de garantía', 'Tempo de garantia', ['días', 'meses', 'años']),
  MANUFACTURING_TIME: measure('Disponibilidad de stock', 'Disponibilidade de estoque', ['días']),
}
const PACKAGE = ['PACKAGE_HEIGHT', 'PACKAGE_WIDTH', 'PACKAGE_LENGTH', 'PACKAGE_WEIGHT']
const CLOTHES = 1430
const FLATS = 1459

function idsOf(node: CategoryNode): string[] {
  const { root } = node.leaf!
  if (root === FLATS)
    return [
      ...['COVERED_AREA', 'TOTAL_AREA', 'BEDROOMS', 'FULL_BATHROOMS', 'PARKING_LOTS', 'FURNISHED'],
      ...['SELLER_SKU', 'ITEM_CONDITION'],
    ]
  if (isClassified(node))
    return ['BRAND', 'MODEL', 'VEHICLE_YEAR', 'KILOMETERS', 'FUEL_TYPE', 'COLOR', 'SELLER_SKU', 'ITEM_CONDITION']
  return [
    'BRAND',
    'MODEL',
    'COLOR',
    ...(root === CLOTHES ? ['SIZE'] : []),
    'GTIN',
    'SELLER_SKU',
    'ITEM_CONDITION',
  ].concat(PACKAGE)
}

/** Units that Portuguese writes otherwise. */
const UNITS_PT: Record<string, string> = { días: 'dias', años: 'anos' }
const GROUP = { es: 'Otros', pt: 'Outros' }

function present(id: string, language: Language, isRequired = false): CategoryAttribute {
  const { type = 'string', tags = {}, values = [], ...kind } = KINDS[id]!
  const units = (kind.units ?? []).map((unit) => (language === 'pt' ? (UNITS_PT[unit] ?? unit) : unit))
  return {
    id,
    name: kind[language] ?? ATTRIBUTE_NAMES[id]![language],
    tags: { ...(isRequired && { required: true }), ...tags },
    hierarchy: id === 'BRAND' || id === 'MODEL' ? 'PARENT_PK' : tags.allow_variations ? 'CHILD_PK' : 'ITEM',
    relevance: tags.hidden ? 2 : 1,
    value_type: type,
    value_max_length: type === 'string' || type === 'number_unit' ? 255 : null,
    values: values.map((one) => ({ id: one.id, name: one[language] })),
    allowed_units: units.map((unit) => ({ id: unit, name: unit })),
    default_unit: units[0] ?? null,
    hint: null,
    tooltip: null,
    attribute_group_id: 'OTHERS',
    attribute_group_name: GROUP[language],
  }
}

/** Those of a leaf; a root has none. */
export function attributesOf(node: CategoryNode): CategoryAttribute[] {
  if (!node.leaf) return []
  const { required } = categoryOf(node.site_id, node.id)!
  return idsOf(node).map((id) => present(id, languageOf(node.site_id), required.includes(id)))
}

export const saleTermsOf = ({ site_id }: CategoryNode): CategoryAttribute[] =>
  ['WARRANTY_TYPE', 'WARRANTY_TIME', 'MANUFACTURING_TIME'].map((id) => present(id, languageOf(site_id)))

const INPUTS: Partial<Record<CategoryAttribute['value_type'], string>> = {
  list: 'COMBO',
  boolean: 'BOOLEAN_INPUT',
  number: 'NUMBER_INPUT',
  number_unit: 'NUMBER_UNIT_INPUT',
}

/** The form in which sellers fill in the attributes, or buyers see them: without the hidden ones. */
export function specificationsOf(node: CategoryNode, { isOutput = false } = {}) {
  const attributes = attributesOf(node).filter(({ tags }) => !tags.hidden)
  const components = attributes.map((one) => ({
    component: isOutput ? 'TEXT_OUTPUT' : (INPUTS[one.value_type] ?? 'TEXT_INPUT'),
    label: one.name,
    attributes: [one],
  }))
  const label = languageOf(node.site_id) === 'pt' ? 'Características principais' : 'Características principales'
  return { groups: components.length > 0 ? [{ id: 'MAIN', label, relevance: 1, section: 'MAIN', components }] : [] }
}
