/**
 * Parses JSON, or the beginning of one: members and elements that are incomplete are left out. Undefined if the text is
 * neither.
 */
export function parsePartialJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parseBeginning(text)
  }
}

const CLOSING: Record<string, string> = { '{': '}', '[': ']' }

function parseBeginning(text: string): unknown {
  const open: string[] = []
  let complete = 0
  for (let n = 0; n < text.length; n++) {
    const c = text[n]!
    if (c === '"') {
      n = endOfString(text, n)
      continue
    }
    if (CLOSING[c]) open.push(CLOSING[c])
    else if (c === '}' || c === ']') open.pop()
    else if (c !== ',') continue
    complete = c === ',' ? n : n + 1
  }
  try {
    return JSON.parse(text.slice(0, complete) + open.reverse().join(''))
  } catch {
    return undefined
  }
}

/** The position of the closing quote; the text's length without one. */
function endOfString(text: string, start: number): number {
  let n = start + 1
  while (n < text.length && text[n] !== '"') n += text[n] === '\\' ? 2 : 1
  return n
}
