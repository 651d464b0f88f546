/** The name of a part in one of its header lines; `filename` counts, too. */
const PART_NAME = /name="?([\w-]+)"?\s*(?:;|$)/g

/**
 * Replaces the values of the named parts of a multipart text, or of the beginning of one. Reads each character a fixed
 * number of times, because the text may be anything.
 */
export function replaceParts(
  text: string,
  names: ReadonlySet<string>,
  replace: (value: string, name: string) => string,
): string {
  let result = ''
  let copied = 0
  let name: string | undefined
  for (let start = 0, newline = text.indexOf('\n'); newline >= 0; newline = text.indexOf('\n', start)) {
    const line = text.slice(start, newline)
    start = newline + 1
    if (line !== '' && line !== '\r') name = nameInLine(line, names) ?? name
    else if (name !== undefined) {
      const end = endOfPart(text, start)
      result += text.slice(copied, start) + replace(text.slice(start, end), name)
      copied = start = end
      name = undefined
    }
  }
  return result + text.slice(copied)
}

function nameInLine(line: string, names: ReadonlySet<string>): string | undefined {
  for (const [, name] of line.matchAll(PART_NAME)) if (names.has(name!)) return name
  return undefined
}

function endOfPart(text: string, start: number): number {
  const boundary = text.indexOf('\n--', start)
  if (boundary < 0) return text.length
  return boundary > start && text[boundary - 1] === '\r' ? boundary - 1 : boundary
}
