/** Fills the places of a path: `/questions/{id}`. Throws a TypeError for one that nothing is given for. */
export const fillPath = (path: string, params: Record<string, unknown> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`${path}: ${name} is missing`)
    return encodeURIComponent(String(params[name]))
  })

/** `?name=value&…`, without what is undefined; nothing where nothing is left. */
export function queryString(members: Record<string, unknown> = {}): string {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** A world's base address: that of its server, and its number. The default world has no address of its own. */
export function parseBaseUrl(url: string): { server: string; world: number } {
  const [, server = url, world = '1'] = /^(.*)\/w\/(\d+)$/.exec(url) ?? []
  return { server, world: Number(world) }
}
