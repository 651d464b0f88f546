import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const SITES: Assumptions = {
  'sites.not_found': assumed('What is said of an unknown site', 'Site with id {id} not found'),
}
