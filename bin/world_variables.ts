import { resolve } from 'node:path'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { ClientOptions } from '../lib/cli/client.ts'

/** Environment variables by name; one that must not be set is undefined. */
export type Variables = Record<string, string | undefined>

/** The environment of a program that uses a world: its address, and users with tokens. */
export function worldVariables(
  { url, application, sellers, buyers }: WorldInfo,
  { adminToken, ca }: ClientOptions,
): Variables {
  // A world from a file may have no users; inherited values would be those of another world.
  const [seller] = sellers
  const buyer = buyers.find(({ site_id }) => site_id === seller?.site_id) ?? buyers[0]
  return {
    MERCADITO_URL: url,
    MERCADITO_TOKEN: seller?.token,
    MERCADITO_SELLER_ID: seller && String(seller.id),
    MERCADITO_BUYER_TOKEN: buyer?.token,
    MERCADITO_BUYER_ID: buyer && String(buyer.id),
    MERCADITO_CLIENT_ID: String(application.id),
    MERCADITO_CLIENT_SECRET: application.secret,
    ...(adminToken !== undefined && { MERCADITO_ADMIN_TOKEN: adminToken, MERCADITO_ADMIN_TOKEN_FILE: undefined }),
    ...(ca !== undefined && { MERCADITO_CA: resolve(ca) }),
  }
}
