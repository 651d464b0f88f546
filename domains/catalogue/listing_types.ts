import { LISTING_TYPES } from '../items/details.ts'
import { shape } from '../shared/shape.ts'
import { languageOf } from './categories.ts'

type ListingTypeId = (typeof LISTING_TYPES)[number]

const NAMES: Record<ListingTypeId, { es: string; pt: string }> = {
  gold_pro: { es: 'Premium', pt: 'Premium' },
  gold_premium: { es: 'Oro Premium', pt: 'Diamante' },
  gold_special: { es: 'Clásica', pt: 'Clássico' },
  gold: { es: 'Oro', pt: 'Ouro' },
  silver: { es: 'Plata', pt: 'Prata' },
  bronze: { es: 'Bronce', pt: 'Bronze' },
  free: { es: 'Gratuita', pt: 'Grátis' },
}

export const listingTypesOf = (site_id: string) =>
  LISTING_TYPES.map((id) => ({ site_id, id, name: NAMES[id][languageOf(site_id)] }))
export const ListingTypeName = shape(
  { site_id: 'MLA', id: 'gold_special', name: 'Clásica' },
  { title: 'ListingTypeName', description: 'A way to be listed' },
)
