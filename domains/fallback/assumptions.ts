import { type Assumptions, assumed } from '../../http/assumptions.ts'

export const FALLBACK: Assumptions = {
  'fallback.no_state': assumed(
    'Answers of paths that are not emulated',
    'the documented members, without state: empty lists, constants, and values of the caller and its listings',
  ),
  'fallback.absent': assumed('What answers where nothing can exist', '404 not_found'),
  'fallback.refused': assumed('Calls of global selling', '403 access_denied: it is another kind of account'),
  'fallback.fiscal_documents': assumed(
    'What is kept of an uploaded invoice',
    'nothing: it is answered once with an id',
  ),
}
