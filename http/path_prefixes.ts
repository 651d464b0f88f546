import { decoded } from './paths.ts'

interface Part<T> {
  value?: T
  parts: Map<string, Part<T>>
}

// `users/*/contacts` begins the paths of the contacts of any user.

/**
 * What prefixes of paths stand for. `*` is any part, where no other prefix has that part. Prefixes and their parts have no slash at
 * their ends.
 */
export class PathPrefixes<T> {
  readonly #root: Part<T> = { parts: new Map() }

  add(prefix: string, value: T): void {
    let at = this.#root
    for (const name of prefix.split('/')) {
      const next: Part<T> = at.parts.get(name) ?? { parts: new Map() }
      at.parts.set(name, next)
      at = next
    }
    at.value = value
  }

  /** What the longest prefix of a path stands for; undefined without one. Runs for every request. */
  find(target: string): T | undefined {
    const query = target.indexOf('?')
    const length = query < 0 ? target.length : query
    let found: T | undefined
    let at: Part<T> | undefined = this.#root
    for (let start = 1; start <= length && at && at.parts.size > 0; ) {
      const slash = target.indexOf('/', start)
      const end = slash < 0 || slash > length ? length : slash
      const name = target.slice(start, end)
      // The router decodes parts: `/%71uestions` has a route.
      at = at.parts.get(name.includes('%') ? decoded(name) : name) ?? at.parts.get('*')
      if (at?.value !== undefined) found = at.value
      start = end + 1
    }
    return found
  }
}
