import { CliError } from '../lib/cli/errors.ts'
import type { Variables } from './world_variables.ts'

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

const quoteShell = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

/** Typographic quotes end a text, too. */
const quotePowershell = (value: string): string => `'${value.replace(/['\u2018-\u201b]/g, '$&$&')}'`
