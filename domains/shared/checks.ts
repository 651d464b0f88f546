import { defineChecks } from '../../http/checks.ts'

/** Checks of several domains. */
export const { user_exists: USER_EXISTS, listing_exists: LISTING_EXISTS } = defineChecks({
  user_exists: ['users.not_found', 'The user exists', 'El usuario existe', 'O usuário existe', 'user_id'],
  listing_exists: ['items.not_found', 'The listing exists', 'La publicación existe', 'O anúncio existe', 'item_id'],
})
