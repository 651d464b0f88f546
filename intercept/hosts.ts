import { usageError } from '../lib/cli/errors.ts'

/** Where the marketplace has its names: one domain for each country, and that of payments. */
export const MARKETPLACE_DOMAINS = [
  'mercadolibre.com',
  ...['ar', 'bo', 'co', 'cu', 'do', 'ec', 'gt', 'hn', 'mx', 'ni', 'pa', 'pe', 'py', 'sv', 'uy', 've'].map(
    (country) => `mercadolibre.com.${country}`,
  ),
  'mercadolibre.cl',
  'mercadolibre.co.cr',
  'mercadolibre.com.br',
  'mercadolivre.com',
  'mercadolivre.com.br',
  'mercadopago.com',
]

const MARKETPLACE_HOSTS = new Set(MARKETPLACE_DOMAINS.flatMap((domain) => [`api.${domain}`, `auth.${domain}`]))

/** Whether calls to a host are answered by the sandbox: the API, or the pages of OAuth. */
export const isMarketplaceHost = (host: string): boolean => MARKETPLACE_HOSTS.has(host)

const HOST = /^[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$|^\[[0-9a-f:.]+\]$/

export interface Target {
  /** In lower case, without a dot at the end; an IPv6 address in brackets. */
  host: string
  port: number
}

/** Reads `host` or `host:port`; undefined if it is neither. */
export function parseTarget(text: string, defaultPort: number): Target | undefined {
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text.toLowerCase()) ?? []
  const host = name.replace(/\.$/, '')
  const number = port === undefined ? defaultPort : Number(port)
  return HOST.test(host) && number > 0 && number < 65_536 ? { host, port: number } : undefined
}

/** Entries of `--allow`: names, addresses, or `*.` and a name for all names below it. Throws a CliError. */
export function parseAllowed(entries: string[]): string[] {
  return entries.map((entry) => {
    const text = entry.toLowerCase()
    const host = text.replace(/^\*\./, '')
    if (parseTarget(`${host}:1`, 1)?.host !== host)
      throw usageError('--allow: must be a host without a port, such as example.com or *.example.com')
    if (isMarketplaceHost(text)) throw usageError(`--allow: ${text} is answered by the sandbox`)
    return text
  })
}

export const isAllowed = (host: string, allowed: string[]): boolean =>
  allowed.some((entry) => (entry.startsWith('*.') ? host.endsWith(entry.slice(1)) : host === entry))
