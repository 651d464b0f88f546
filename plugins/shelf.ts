/** Things that were made and may be used again, the ones used last, in bounded memory. */
export interface Shelf<Kept> {
  get(key: string): Kept | undefined
  /** Replaces what has this key. `bytes`: what it takes. */
  keep(key: string, kept: Kept, bytes: number): void
  readonly bytes: number
}

export function openShelf<Kept>(mostBytes: number): Shelf<Kept> {
  // In the order of use: the one used last stands last.
  const places = new Map<string, { kept: Kept; bytes: number }>()
  let latest: string | undefined
  let bytes = 0

  function drop(key: string): void {
    bytes -= places.get(key)?.bytes ?? 0
    places.delete(key)
  }

  return {
    get(key) {
      const place = places.get(key)
      if (place && key !== latest) {
        places.delete(key)
        places.set(key, place)
        latest = key
      }
      return place?.kept
    },
    keep(key, kept, size) {
      drop(key)
      if (size > mostBytes) return
      places.set(key, { kept, bytes: size })
      latest = key
      bytes += size
      for (const oldest of places.keys()) {
        if (bytes <= mostBytes) break
        drop(oldest)
      }
    },
    get bytes() {
      return bytes
    },
  }
}
