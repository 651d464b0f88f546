import { decoded } from './paths.ts'

/** Matches a text against a pattern in which each `*` matches any text, also none. O(pattern × text) at worst. */
export function matchesPattern(pattern: string, text: string): boolean {
  const [first, ...rest] = pattern.split('*') as [string, ...string[]]
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let position = first.length
  for (const part of rest) {
    const index = text.indexOf(part, position)
    if (index < 0) return false
    position = index + part.length
  }
  return text.length - last.length >= position && text.endsWith(last)
}

/** The path of an address as patterns match it: unescaped, without query and trailing slash. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0]!
  const bare = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
  return bare.includes('%') ? decoded(bare) : bare
}

/** Whether a rule or filter matches a call. Parts that it lacks match every call; GET matches HEAD too. */
export const matchesCall = (
  { method, path }: { method?: string | null | undefined; path?: string | null | undefined },
  call: { method: string; path: string },
): boolean =>
  (method == null || method === call.method || (method === 'GET' && call.method === 'HEAD')) &&
  (path == null || matchesPattern(path, call.path))
