/** The word with the fewest changes from `typed`, up to `maxDistance` and less than half of its characters; undefined if none. */
export function nearest(typed: string, words: string[], maxDistance = 3): string | undefined {
  let found: string | undefined
  let fewest = maxDistance + 1
  for (const word of words) {
    if (Math.abs(typed.length - word.length) > maxDistance) continue
    const distance = countChanges(typed, word)
    if (distance < fewest && distance < Math.max(typed.length, word.length) / 2) [found, fewest] = [word, distance]
  }
  return found
}

/** Characters that are added, removed or replaced, and neighbours that are exchanged (Damerau-Levenshtein). */
export function countChanges(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, n) => n)]
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      row[j] = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[from.length]![to.length]!
}
