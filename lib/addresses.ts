/** Fills the places of a path: `/questions/{id}`. Throws a TypeError for one that nothing is given for. */
export const filled = (path: string, places: Record<string, unknown> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (places[name] === undefined) throw new TypeError(`${path}: ${name} is missing`)
    return encodeURIComponent(String(places[name]))
  })

/** `?name=value&…`, without what is undefined; nothing where nothing is left. */
export function query(members: Record<string, unknown> = {}): string {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** A world's base address: that of its server, and its number. The default world has no address of its own. */
export function readBase(url: string): { server: string; world: number } {
  const [, server = url, world = '1'] = /^(.*)\/w\/(\d+)$/.exec(url) ?? []
  return { server, world: Number(world) }
}
