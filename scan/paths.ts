/** Stands for a value that is not known. */
export const HOLE = '\u0000'

/** The first parts of paths of the marketplace that the emulated API has no path of. */
const MORE_ROOTS =
  'alerts block-api brands carts charts cities claims credits fiscal identification_types invoices listing_types locations mercadopago_account official_stores payment_methods payments projects questions_blacklist quotations shipment_options shipping_methods size_charts states stock v2 v3'.split(
    ' ',
  )
const HOST = /^(?:[a-z]+:)?\/\/api\.mercadoli[bv]re\.com(?::\d+)?|^api\.mercadoli[bv]re\.com/
const SITE = /^M(?:LA|LB|LM|LC|LU|LV|CO|PE|EC|BO|CR|PA|RD|GT|HN|NI|PY|SV|PT|LUY|CU)$/
const IDENTIFIER = /^(?:\d+|M[A-Z]{2}[A-Z]?-?\d+|[0-9a-f-]{24,})$/
const PLACEHOLDER = /%[-+\d.$]*[sdvqiuxf]|\$\{[^}]*\}|#\{[^}]*\}|\{\{[^}]*\}\}|\{[^{}/]*\}|<[\w:]+>/g
/** `{BASE}/items`. */
const BASE = /^(?:\0|%s|\{\}|\{0\}|\{\w*(?:base|url|host|api|uri|root)\w*\})(?=\/)/i
const FILE =
  /\.(?:[cm]?[jt]sx?|json|html?|css|scss|py|php|rb|go|java|cs|ya?ml|md|txt|xml|csv|png|jpe?g|svg|gif|erb|blade|twig)$/i

export interface FoundPath {
  /** With `{}` for each value; empty for the address of the API alone. */
  path: string
  hasHost: boolean
  /** Without a slash at its beginning. */
  isRelative: boolean
  /** A base whose value is not known precedes it. */
  hasBase: boolean
  hasQuery: boolean
}

/** The path that a text is, undefined if it is none of the marketplace. HOLE stands for values. */
export function pathOf(text: string, roots: ReadonlySet<string>): FoundPath | undefined {
  const host = HOST.exec(text)
  const base = host ?? BASE.exec(text)
  const rest = text.slice(base?.[0].length ?? 0).replace(PLACEHOLDER, HOLE)
  const [written] = rest.split(/[?#]/, 1) as [string]
  const parts = written.split('/').filter((part) => part !== '')
  const path = parts.map((part, n) => `/${partOf(part, n === parts.length - 1)}`).join('')
  const isRelative = !/^[/\0]|^$/.test(written)
  if (text.length > 1000 || /[\s<>|*"'()=,;]|:\/\//.test(written) || (host && isRelative)) return undefined
  if (!host && (!roots.has(path.split('/')[1] ?? '') || FILE.test(path))) return undefined
  return {
    path,
    hasHost: host !== null,
    hasBase: base !== null,
    hasQuery: rest.includes('?'),
    isRelative: !written.startsWith('/'),
  }
}

function partOf(part: string, isLast: boolean): string {
  if (IDENTIFIER.test(part) || SITE.test(part) || part.startsWith(':')) return '{}'
  // `search{query}`: what follows a word at the end is the query.
  const [word, more] = part.split(HOLE, 2) as [string, string?]
  return more === undefined || (isLast && /^[a-z_-]{4,}$/.test(word) && part.length === word.length + 1) ? word : '{}'
}

/** The first parts of paths; `authorization` is a page of another host. */
export const rootsOf = (templates: readonly string[]): Set<string> =>
  new Set([...templates.map((path) => path.split('/')[1]!), ...MORE_ROOTS].filter((root) => root !== 'authorization'))
