/** The members that `?attributes=a,b` selects; undefined if the answer stays whole [spec: http.attributes.empty]. */
export function requestedAttributes(query: unknown): Set<string> | undefined {
  const { attributes } = query as { attributes?: string | string[] }
  if (!attributes || attributes.length === 0) return undefined
  const names = String(attributes)
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
  return names.length > 0 ? new Set(names) : undefined
}

/** The members of `value` that have these names; other values than objects stay as they are. */
export const pick = (value: unknown, names: Set<string>): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([name]) => names.has(name)))
    : value
