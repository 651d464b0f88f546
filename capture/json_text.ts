/** The value of a JSON text: the parsed text of a string, or the literal of a number. */
export interface Scalar {
  type: 'string' | 'number'
  value: string
}

const TOKENS = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\]:,]|true|false|null/g

/**
 * Replaces values of a valid JSON text; everything else keeps its bytes, also the order of members and the form of numbers.
 * `replace` gets the names of the members that lead to the value and returns its new text; `replaceName` that of a name.
 */
export function rewriteJson(
  json: string,
  replace: (scalar: Scalar, path: readonly string[]) => string,
  replaceName: (name: string) => string,
): string {
  const path: string[] = []
  /** For each open object or array, whether it is an object. */
  const open: boolean[] = []
  let expectsName = false
  return json.replace(TOKENS, (token) => {
    if (token === '{' || token === '[') {
      open.push(token === '{')
      if (token === '{') path.push('')
      expectsName = token === '{'
    } else if (token === '}' || token === ']') {
      if (open.pop()) path.pop()
      expectsName = false
    } else if (token === ',') expectsName = open.at(-1)!
    else if (token === ':') expectsName = false
    else if (expectsName) {
      const name = JSON.parse(token) as string
      path[path.length - 1] = name
      const replaced = replaceName(name)
      return replaced === name ? token : JSON.stringify(replaced)
    } else if (token[0] === '"') {
      const value = JSON.parse(token) as string
      const replaced = replace({ type: 'string', value }, path)
      return replaced === value ? token : JSON.stringify(replaced)
    } else if (/^[-\d]/.test(token)) return replace({ type: 'number', value: token }, path)
    return token
  })
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
