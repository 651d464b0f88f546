import type { RuleId } from '../../http/rules.ts'
import { type Category, categoryOf, MAX_PICTURES } from './categories.ts'
import { MAX_DESCRIPTION } from './schemas.ts'
import { descriptionOf, missingMembers, pricesOf, type SentListing, titleOf } from './sent_listing.ts'

export interface Facts {
  site_id: string
  /** Ids of pictures that the seller cannot use. */
  unknownPictures: readonly string[]
}

/** References and message of each violation. */
type Found = readonly (readonly [references: readonly string[], message: string])[]

/** A rule of listings; its name is that of the check that explanations have. */
export interface CauseRow {
  rule: RuleId
  cause_id: number
  code: string
  department?: string
  type?: 'warning'
  /** It is about new listings only. */
  isOfNew?: boolean
  /** What must be so, in English, Spanish and Portuguese. */
  text: readonly [en: string, es: string, pt: string]
  field?: string
  find(listing: SentListing, facts: Facts): Found
}

const NOTHING: Found = []
const when = (isWrong: boolean | undefined, reference: string, message: string): Found =>
  isWrong ? [[[reference], message]] : NOTHING

const MAX_PRICE = 9_999_999_999
const MIN_TITLE_LENGTH = 3
const categoryOfListing = ({ category_id }: SentListing, { site_id }: Facts): Category | undefined =>
  category_id === undefined ? undefined : categoryOf(site_id, category_id)

/** Markup, or a character that a description cannot have. */
const NOT_PLAIN = /<[a-zA-Z/!]|[\u{10000}-\u{10ffff}]/u

function defineCauses<Name extends string>(rows: Record<Name, CauseRow>): Record<Name, CauseRow> {
  return rows
}

/** All rules, in the order in which their causes are answered. */
export const CAUSES = defineCauses({
  required_members: {
    rule: 'items.causes.required',
    cause_id: 0,
    code: 'body.required_fields',
    isOfNew: true,
    text: [
      'All required members are sent',
      'Se envían todos los miembros obligatorios',
      'Todos os membros obrigatórios são enviados',
    ],
    find(listing) {
      const names = missingMembers(listing)
      if (names.length === 0) return NOTHING
      const message = `The fields [${names.join(', ')}] are required for requested call`
      return [[names.map((name) => `item.${name}`), message]]
    },
  },
  member_types: {
    rule: 'items.causes.types',
    cause_id: 101,
    code: 'body.invalid_field_types',
    isOfNew: true,
    text: ['Each member has its type', 'Cada miembro tiene su tipo', 'Cada membro tem seu tipo'],
    find: ({ wrong = [] }) =>
      wrong.length === 0
        ? NOTHING
        : [[wrong.map((name) => `item.${name}`), `The fields [${wrong.join(', ')}] have an invalid type`]],
  },
  category: {
    rule: 'items.causes.category',
    cause_id: 126,
    code: 'item.category_id.invalid',
    text: [
      'The category exists on the site, and has none below it',
      'La categoría existe en el sitio y no tiene otras debajo',
      'A categoria existe no site e não tem outras abaixo',
    ],
    field: 'category_id',
    find: (listing, facts) =>
      when(
        listing.category_id !== undefined && !categoryOfListing(listing, facts),
        'item.category_id',
        `Is not allowed to post in category ${listing.category_id}. Make sure you're posting in a leaf category.`,
      ),
  },
  price_minimum: {
    rule: 'items.causes.price',
    cause_id: 109,
    code: 'item.price.invalid',
    text: [
      'The price is at least the minimum of the category',
      'El precio llega al mínimo de la categoría',
      'O preço chega ao mínimo da categoria',
    ],
    field: 'price',
    find(listing, facts) {
      const { category_id = `${facts.site_id}3530` } = listing
      const { minimum_price = 0 } = categoryOf(facts.site_id, category_id) ?? {}
      const isBelow = pricesOf(listing).some((price) => price < minimum_price)
      return when(isBelow, 'item.price', `The category ${category_id} requires a minimum price of ${minimum_price}`)
    },
  },
  price_maximum: {
    rule: 'items.causes.price',
    cause_id: 129,
    code: 'item.price.invalid',
    text: [
      `The price is below ${MAX_PRICE}`,
      `El precio es menor que ${MAX_PRICE}`,
      `O preço é menor que ${MAX_PRICE}`,
    ],
    field: 'price',
    find: (listing) =>
      when(
        pricesOf(listing).some((price) => price >= MAX_PRICE),
        'item.price',
        `The price must be less than ${MAX_PRICE}`,
      ),
  },
  required_attributes: {
    rule: 'items.causes.attributes',
    cause_id: 147,
    code: 'item.attributes.missing_required',
    department: 'structured-data',
    isOfNew: true,
    text: [
      'The attributes that the category requires are sent',
      'Se envían los atributos que la categoría exige',
      'Os atributos que a categoria exige são enviados',
    ],
    field: 'attributes',
    find(listing, facts) {
      const { attributes = [], variations = [], category_id } = listing
      const sent = [
        ...attributes,
        ...variations.flatMap((one) => [...(one.attributes ?? []), ...(one.attribute_combinations ?? [])]),
      ]
      const hasValue = (id: string) =>
        sent.some((one) => one.id === id && (one.value_name ?? one.value_id ?? '') !== '')
      const missing = (categoryOfListing(listing, facts)?.required ?? []).filter((id) => !hasValue(id))
      const message = `The attributes [${missing.join(', ')}] are required for category [${category_id}]`
      return when(missing.length > 0, 'item.attributes', message)
    },
  },
  picture_needed: {
    rule: 'items.causes.pictures',
    cause_id: 173,
    code: 'item.listing_type_id.requiresPictures',
    isOfNew: true,
    text: [
      'There is a picture, or the listing is free',
      'Hay una imagen, o la publicación es gratuita',
      'Há uma imagem, ou o anúncio é grátis',
    ],
    field: 'pictures',
    find: ({ listing_type_id, pictures = [], wrong = [] }) =>
      when(
        listing_type_id !== undefined &&
          listing_type_id !== 'free' &&
          pictures.length === 0 &&
          !wrong.includes('pictures'),
        'item.pictures',
        `Listing type ${listing_type_id} requires at least one picture`,
      ),
  },
  picture_count: {
    rule: 'items.causes.pictures',
    cause_id: 201,
    code: 'item.pictures.max',
    text: [
      `There are at most ${MAX_PICTURES} pictures`,
      `Hay como máximo ${MAX_PICTURES} imágenes`,
      `Há no máximo ${MAX_PICTURES} imagens`,
    ],
    field: 'pictures',
    find: ({ pictures = [] }) =>
      when(pictures.length > MAX_PICTURES, 'item.pictures', `The maximum number of pictures is ${MAX_PICTURES}`),
  },
  picture_known: {
    rule: 'items.causes.pictures',
    cause_id: 204,
    code: 'item.pictures.picture_not_found',
    text: ['The pictures were uploaded before', 'Las imágenes se subieron antes', 'As imagens foram enviadas antes'],
    field: 'pictures',
    find: (_, { unknownPictures }) =>
      unknownPictures.map((id) => [['item.pictures'], `Picture with id ${id} not found`]),
  },
  title_minimum: {
    rule: 'items.causes.title',
    cause_id: 3705,
    code: 'item.title.minimum_length',
    isOfNew: true,
    text: [
      `The title has at least ${MIN_TITLE_LENGTH} characters`,
      `El título tiene al menos ${MIN_TITLE_LENGTH} caracteres`,
      `O título tem pelo menos ${MIN_TITLE_LENGTH} caracteres`,
    ],
    field: 'title',
    find(listing) {
      const title = titleOf(listing)?.trim()
      const message = `The title must have at least ${MIN_TITLE_LENGTH} characters`
      return when(title !== undefined && title.length < MIN_TITLE_LENGTH, 'item.title', message)
    },
  },
  title_maximum: {
    rule: 'items.causes.title',
    cause_id: 3706,
    code: 'item.title.length.invalid',
    text: [
      'The title is as short as its category wants it',
      'El título respeta el largo máximo de su categoría',
      'O título respeita o tamanho máximo de sua categoria',
    ],
    field: 'title',
    find(listing, facts) {
      const { max_title_length = 60 } = categoryOfListing(listing, facts) ?? {}
      const message = `The title must have at most ${max_title_length} characters`
      return when((titleOf(listing)?.length ?? 0) > max_title_length, 'item.title', message)
    },
  },
  plain_description: {
    rule: 'items.description.plain',
    cause_id: 398,
    code: 'item.description.type.invalid',
    text: [
      'The description has no markup, and no characters beyond U+FFFF',
      'La descripción no tiene marcas ni caracteres después de U+FFFF',
      'A descrição não tem marcação nem caracteres depois de U+FFFF',
    ],
    field: 'plain_text',
    find(listing) {
      const at = descriptionOf(listing)?.search(NOT_PLAIN) ?? -1
      return when(at >= 0, `plain_text[${at}]`, 'The description must be in plain text')
    },
  },
  description_length: {
    rule: 'items.description.length',
    cause_id: 3707,
    code: 'item.descriptions.length_exceeded',
    text: [
      `The description has at most ${MAX_DESCRIPTION} characters`,
      `La descripción tiene como máximo ${MAX_DESCRIPTION} caracteres`,
      `A descrição tem no máximo ${MAX_DESCRIPTION} caracteres`,
    ],
    field: 'plain_text',
    find: (listing) =>
      when(
        (descriptionOf(listing)?.length ?? 0) > MAX_DESCRIPTION,
        'plain_text',
        `The description must have at most ${MAX_DESCRIPTION} characters`,
      ),
  },
  me2_adoption: {
    rule: 'items.causes.shipping',
    cause_id: 4029,
    code: 'shipping.me2_adoption_mandatory',
    department: 'shipping',
    type: 'warning',
    isOfNew: true,
    text: ['The listing is shipped by ME2', 'La publicación se envía por ME2', 'O anúncio é enviado por ME2'],
    field: 'shipping',
    find: ({ shipping: { mode = 'me2' } = {}, buying_mode }) =>
      when(
        mode !== 'me2' && buying_mode !== 'classified',
        'item.shipping.mode',
        'The seller must offer the shipping mode me2',
      ),
  },
})

export type CauseName = keyof typeof CAUSES
