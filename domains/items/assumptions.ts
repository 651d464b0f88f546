import { type Assumptions, assumed, observed } from '../../http/assumptions.ts'
import { PUBLIC_SEARCH } from './public_search.ts'

export const ITEMS: Assumptions = {
  [PUBLIC_SEARCH.name]: observed('Whether the public search of a site answers', PUBLIC_SEARCH),
  'items.search.stop_time': assumed('When a listing stops, for the orders by stop time', '60 days after date_created', [
    { route: 'GET /users/:user_id/items/search', sends: ['orders'], value: /^stop_time/ },
  ]),
  'items.search.q': assumed(
    'Which listings `q` finds',
    'those with this text in the title, in any letter case of A to Z',
    [{ route: 'GET /users/:user_id/items/search', sends: ['q'] }],
  ),
  'items.change.members': assumed(
    'What a seller may change of a listing',
    'status (active, paused, closed), title, price, available_quantity; other members are ignored',
  ),
  'items.change.closed': assumed(
    'What changing a closed listing, or the state of one under review, answers',
    '400 validation_error, item status is closed or under_review',
  ),
}
