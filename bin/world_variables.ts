import { resolve } from 'node:path'
import type { WorldInfo } from '../control/worlds/world_info.ts'
import { quoteShell } from '../domains/shared/commands.ts'
import type { ClientOptions } from '../lib/cli/client.ts'
import { CliError } from '../lib/cli/errors.ts'

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
    MERCADITO_REDIRECT_URI: application.redirect_uri,
    ...(adminToken !== undefined && { MERCADITO_ADMIN_TOKEN: adminToken, MERCADITO_ADMIN_TOKEN_FILE: undefined }),
    ...(ca !== undefined && { MERCADITO_CA: resolve(ca) }),
  }
}

/** Writes environment variables as text, without the last line break. */
type Format = (variables: Variables) => string

/** Formats for shells and for programs that read environment variables. */
export const VARIABLE_FORMATS: Record<string, Format> = {
  dotenv: (variables) =>
    definedOf(variables)
      .map(([name, value]) => `${name}=${quoteDotenv(name, value)}`)
      .join('\n'),
  shell: (variables) =>
    Object.entries(variables)
      .map(([name, value]) => (value === undefined ? `unset ${name}` : `export ${name}=${quoteShell(value)}`))
      .join('\n'),
  powershell: (variables) =>
    Object.entries(variables)
      .map(([name, value]) => `$env:${name} = ${value === undefined ? '$null' : quotePowershell(value)}`)
      .join('\n'),
  json: (variables) => JSON.stringify(Object.fromEntries(definedOf(variables))),
}

/** Environments of HTTP clients. */
export const CLIENT_FORMATS: Record<string, Format> = {
  'http-client': (variables) => JSON.stringify({ mercadito: Object.fromEntries(definedOf(variables)) }, null, 2),
  postman: (variables) =>
    JSON.stringify(
      {
        name: 'mercadito',
        values: definedOf(variables).map(([key, value]) => ({
          key,
          value,
          type: /token|secret/.test(key) ? 'secret' : 'default',
          enabled: true,
        })),
        _postman_variable_scope: 'environment',
      },
      null,
      2,
    ),
}

const definedOf = (variables: Variables): [name: string, value: string][] =>
  Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined)

/** In a form that all readers of dotenv files understand alike. Throws a CliError if there is none. */
function quoteDotenv(name: string, value: string): string {
  // Docker and GitHub Actions take quotes for a part of the value.
  if (/^[\w./:@%+,-]*$/.test(value)) return value
  // Some readers take a backslash before a quote or another backslash for an escape.
  if (!/['\n\r]|\\\\|\\$/.test(value)) return `'${value}'`
  if (!/["\\$`\n\r]/.test(value)) return `"${value}"`
  throw new CliError(`${name} has characters that a dotenv file cannot contain; use --format shell or json`)
}

/** Typographic quotes end a text, too. */
const quotePowershell = (value: string): string => `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`
