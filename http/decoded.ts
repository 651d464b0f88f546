/** A text with its percent encoding resolved; the same text if that is not valid. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
