import { defineChecks } from '../../http/errors/checks.ts'

/** Checks of several domains. */
export const {
  user_exists: USER_EXISTS,
  listing_exists: LISTING_EXISTS,
  own_listing: OWN_LISTING,
} = defineChecks({
  user_exists: ['users.not_found', 'The user exists', 'El usuario existe', 'O usuário existe', 'user_id'],
  listing_exists: ['items.not_found', 'The listing exists', 'La publicación existe', 'O anúncio existe', 'item_id'],
  own_listing: [
    'http.errors.foreign_data',
    'The listing is one of the caller',
    'La publicación es de quien llama',
    'O anúncio é de quem chama',
    'item_id',
  ],
})
