export interface Random {
  /** In [0, 1), 53 bits. */
  next(): number
  /** An integer, both ends included. */
  int(from: number, to: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** An index, with a probability proportional to its weight. */
  weighted(weights: readonly number[]): number
  shuffle<T>(list: readonly T[]): T[]
  /** A stream that depends only on the seed and the name: draws of one part never change those of another. */
  fork(name: string): Random
}

/**
 * sfc32 (Doty-Humphrey), seeded through splitmix32. `seed`: 0 to 2^53 − 1. Integer arithmetic: equal on every machine.
 */
export function random(seed: number): Random {
  return stream(seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0)
}

function stream(low: number, high: number): Random {
  const word = sfc32(splitmix32(low), splitmix32(high ^ 0x5bd1e995), splitmix32(low ^ Math.imul(high, 0x9e3779b1)))
  const next = () => ((word() >>> 5) * 2 ** 26 + (word() >>> 6)) / 2 ** 53
  const int = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('nothing to pick from')
      return list[int(0, list.length - 1)]!
    },
    weighted(weights) {
      let left = next() * weights.reduce((sum, weight) => sum + weight, 0)
      for (const [index, weight] of weights.entries()) {
        left -= weight
        if (left < 0) return index
      }
      // Reached after a rounding error: the last index with a weight.
      return weights.findLastIndex((weight) => weight > 0)
    },
    shuffle(list) {
      const shuffled = [...list]
      for (let last = shuffled.length - 1; last > 0; last--) {
        const other = int(0, last)
        ;[shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!]
      }
      return shuffled
    },
    fork: (name) => stream(hash(low, name), hash(high ^ 0x2545f491, name)),
  }
}

function sfc32(a: number, b: number, c: number): () => number {
  let counter = 1
  const word = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  // The first words still correlate with the seed.
  for (let i = 0; i < 15; i++) word()
  return word
}

function splitmix32(seed: number): number {
  let word = (seed + 0x9e3779b9) | 0
  word = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
  word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
  return (word ^ (word >>> 15)) | 0
}

/** FNV-1a from a given basis, finished with splitmix32 so that short names spread. */
function hash(basis: number, name: string): number {
  let word = basis ^ 0x811c9dc5
  for (let i = 0; i < name.length; i++) word = Math.imul(word ^ name.charCodeAt(i), 0x01000193)
  return splitmix32(word) >>> 0
}
