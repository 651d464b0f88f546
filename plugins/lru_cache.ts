/** Things that were made and may be used again, the ones used last, in bounded memory. */
export interface LruCache<Value> {
  get(key: string): Value | undefined
  /** Replaces what has this key. `bytes`: what it takes. */
  set(key: string, value: Value, bytes: number): void
  readonly bytes: number
}

export function createLruCache<Value>(maxBytes: number): LruCache<Value> {
  // In the order of use: the one used last stands last.
  const entries = new Map<string, { value: Value; bytes: number }>()
  let lastUsed: string | undefined
  let bytes = 0

  function drop(key: string): void {
    bytes -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (entry && key !== lastUsed) {
        entries.delete(key)
        entries.set(key, entry)
        lastUsed = key
      }
      return entry?.value
    },
    set(key, value, size) {
      drop(key)
      if (size > maxBytes) return
      entries.set(key, { value, bytes: size })
      lastUsed = key
      bytes += size
      for (const oldestKey of entries.keys()) {
        if (bytes <= maxBytes) break
        drop(oldestKey)
      }
    },
    get bytes() {
      return bytes
    },
  }
}
