/** Fills the parameters of a path such as `/questions/{id}`. Throws a TypeError if one is missing. */
export const fillPath = (path: string, params: Record<string, unknown> = {}): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (params[name] === undefined) throw new TypeError(`${path}: ${name} is missing`)
    return encodeURIComponent(String(params[name]))
  })

/** `?name=value&…`, without undefined members; empty if none is left. */
export function queryString(members: Record<string, unknown> = {}): string {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]): [string, string] => [name, String(value)]))}`
}

/** Splits a base address into that of the server and the number of the world; 1 is the default world. */
export function parseBaseUrl(url: string): { server: string; world: number } {
  const [, server = url, world = '1'] = /^(.*)\/w\/(\d+)$/.exec(url) ?? []
  return { server, world: Number(world) }
}

/** The console of a server or world. */
export const consoleUrl = (base: string): string => `${base}/_sandbox/console/`

/** The host of an address as sockets need it: an IPv6 address without its brackets. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '')
