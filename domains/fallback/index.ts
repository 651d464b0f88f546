import { assumed } from '../../http/assumptions.ts'
import { type Domain, WITHOUT_ROWS } from '../domain.ts'

/** Answers without state for calls that programs make and that no other domain has. */
export const fallback: Domain = {
  ...WITHOUT_ROWS,
  name: 'fallback',
  uses: { reads: ['items', 'orders', 'users'] },
  routes: () => import('./routes.ts'),
  paths: [],
  assumptions: {
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
  },
}
