import { type Static, Type } from '@sinclair/typebox'
import { ATTRIBUTE_NAMES, COLOURS, CONDITION_NAMES, categoryOf } from '../items/categories.ts'
import { ResponseObject } from '../shared/schemas.ts'
import { orNull, shape } from '../shared/shape.ts'
import { languageOf } from '../users/sites.ts'
import { type CategoryNode, isClassified, SAMPLE } from './categories.ts'

// The attributes of categories, and the terms of sale, in the two languages [spec: catalogue.attributes].

type Language = 'es' | 'pt'

/** Names in Spanish and Portuguese, kind of the values, units. Texts with names of items/categories.ts are not here. */
const KINDS: Readonly<Record<string, readonly [es: string, pt: string, type: string, ...units: string[]]>> = {
  VEHICLE_YEAR: ['Año', 'Ano', 'number'],
  KILOMETERS: ['Kilómetros', 'Quilômetros', 'number_unit', 'km'],
  DOORS: ['Puertas', 'Portas', 'number'],
  COVERED_AREA: ['Superficie cubierta', 'Área útil', 'number_unit', 'm²'],
  TOTAL_AREA: ['Superficie total', 'Área total', 'number_unit', 'm²'],
  ROOMS: ['Ambientes', 'Ambientes', 'number'],
  BEDROOMS: ['Dormitorios', 'Quartos', 'number'],
  FULL_BATHROOMS: ['Baños', 'Banheiros', 'number'],
  PARKING_LOTS: ['Cocheras', 'Vagas', 'number'],
  PACKAGE_HEIGHT: ['Altura del paquete', 'Altura da embalagem', 'number_unit', 'cm'],
  PACKAGE_WIDTH: ['Ancho del paquete', 'Largura da embalagem', 'number_unit', 'cm'],
  PACKAGE_LENGTH: ['Largo del paquete', 'Comprimento da embalagem', 'number_unit', 'cm'],
  PACKAGE_WEIGHT: ['Peso del paquete', 'Peso da embalagem', 'number_unit', 'g', 'kg'],
  WARRANTY_TYPE: ['Tipo de garantía', 'Tipo de garantia', 'list'],
  WARRANTY_TIME: ['Tiempo de garantía', 'Tempo de garantia', 'number_unit', 'días', 'meses', 'años'],
  MANUFACTURING_TIME: ['Disponibilidad de stock', 'Disponibilidade de estoque', 'number_unit', 'días'],
}
/** Units that Portuguese writes otherwise. */
const UNITS_PT: Record<string, string> = { días: 'dias', años: 'anos' }

interface Value {
  id: string
  es: string
  pt: string
}
const SIZES = ['S', 'M', 'L', 'XL', '38', '39', '40', '41', '42']
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  COLOR: COLOURS,
  SIZE: SIZES.map((name, n) => ({ id: String(3259401 + n), es: name, pt: name })),
  ITEM_CONDITION: Object.values(CONDITION_NAMES).flatMap(({ value_id: id, ...names }) => (id ? { id, ...names } : [])),
  WARRANTY_TYPE: [
    { id: '2230279', es: 'Garantía de fábrica', pt: 'Garantia de fábrica' },
    { id: '2230280', es: 'Garantía del vendedor', pt: 'Garantia do vendedor' },
    { id: '6150835', es: 'Sin garantía', pt: 'Sem garantia' },
  ],
}

const FLAT = ['COVERED_AREA', 'TOTAL_AREA', 'ROOMS', 'BEDROOMS', 'FULL_BATHROOMS', 'PARKING_LOTS']
const VEHICLE = ['BRAND', 'MODEL', 'VEHICLE_YEAR', 'KILOMETERS', 'DOORS', 'COLOR']
const OWN = ['SELLER_SKU', 'ITEM_CONDITION']
const PACKAGE = ['PACKAGE_HEIGHT', 'PACKAGE_WIDTH', 'PACKAGE_LENGTH', 'PACKAGE_WEIGHT']
const TERMS = ['WARRANTY_TYPE', 'WARRANTY_TIME', 'MANUFACTURING_TIME']
const CLOTHES = 1430
const FLATS = 1459

function idsOf(node: CategoryNode): string[] {
  const root = node.leaf?.root
  if (root === undefined) return []
  if (isClassified(node)) return [...(root === FLATS ? FLAT : VEHICLE), ...OWN]
  return ['BRAND', 'MODEL', 'COLOR', ...(root === CLOTHES ? ['SIZE'] : []), 'GTIN', ...OWN, ...PACKAGE]
}

const tag = Type.Optional(Type.Literal(true))
const Tags = ResponseObject(
  { required: tag, catalog_required: tag, allow_variations: tag, hidden: tag, variation_attribute: tag },
  { description: 'What is true of it; other members are missing' },
)

function tagsOf(id: string, required: readonly string[]): Static<typeof Tags> {
  return {
    ...(required.includes(id) && { required: true }),
    ...((id === 'BRAND' || id === 'MODEL') && { catalog_required: true }),
    ...((id === 'COLOR' || id === 'SIZE') && { allow_variations: true }),
    ...((OWN.includes(id) || PACKAGE.includes(id)) && { hidden: true }),
    ...((id === 'GTIN' || id === 'SELLER_SKU') && { variation_attribute: true }),
  }
}

function present(id: string, language: Language, required: readonly string[] = []) {
  const values = VALUES[id] ?? []
  const { es, pt } = ATTRIBUTE_NAMES[id] ?? {}
  const [esName = es!, ptName = pt!, value_type = values.length > 0 ? 'list' : 'string', ...units] = KINDS[id] ?? []
  const unitNames = units.map((unit) => (language === 'pt' ? (UNITS_PT[unit] ?? unit) : unit))
  const tags = tagsOf(id, required)
  return {
    id,
    name: language === 'pt' ? ptName : esName,
    tags,
    hierarchy: tags.catalog_required ? 'PARENT_PK' : tags.allow_variations ? 'CHILD_PK' : 'ITEM',
    relevance: tags.hidden ? 2 : 1,
    value_type,
    value_max_length: value_type.startsWith('number') || value_type === 'list' ? null : 255,
    values: values.map((one) => ({ id: one.id, name: one[language] })),
    allowed_units: unitNames.map((unit) => ({ id: unit, name: unit })),
    default_unit: unitNames[0] ?? null,
    hint: null,
    tooltip: null,
    attribute_group_id: 'OTHERS',
    attribute_group_name: language === 'pt' ? 'Outros' : 'Otros',
  }
}
const nullable = { tags: Tags, value_max_length: orNull(255), default_unit: orNull('cm') }
const units = [{ id: 'cm', name: 'cm' }]
export const CategoryAttribute = shape(
  { ...present('COLOR', 'es'), ...nullable, allowed_units: units },
  { title: 'CategoryAttribute', description: 'An attribute that listings of a category can have' },
)

/** Those of a leaf; a category at the top has none. */
export function attributesOf(node: CategoryNode) {
  const { required = [] } = categoryOf(node.site_id, node.id) ?? {}
  return idsOf(node).map((id) => present(id, languageOf(node.site_id), required))
}

export const saleTermsOf = ({ site_id }: CategoryNode) => TERMS.map((id) => present(id, languageOf(site_id)))

const INPUTS: Record<string, string> = { list: 'COMBO', number: 'NUMBER_INPUT', number_unit: 'NUMBER_UNIT_INPUT' }

/** The form in which sellers fill in the attributes, or buyers see them: without the hidden ones. */
export function specificationsOf(node: CategoryNode, { isOutput = false } = {}) {
  const shown = attributesOf(node).filter(({ tags }) => !tags.hidden)
  const components = shown.map((one) => ({
    component: isOutput ? 'TEXT_OUTPUT' : (INPUTS[one.value_type] ?? 'TEXT_INPUT'),
    label: one.name,
    attributes: [one],
  }))
  const label = languageOf(node.site_id) === 'pt' ? 'Características principais' : 'Características principales'
  return { groups: components.length > 0 ? [{ id: 'MAIN', label, relevance: 1, section: 'MAIN', components }] : [] }
}
const group = specificationsOf(SAMPLE).groups[0]!
export const Specifications = shape(
  { groups: [{ ...group, components: [{ ...group.components[0]!, attributes: [CategoryAttribute] }] }] },
  { title: 'TechnicalSpecifications', description: 'The form of the attributes of a category' },
)
