/** What stands where a secret stood. */
export const REDACTED = '***'

const RESPONSE_SECRETS = ['access_token', 'refresh_token', 'client_secret', 'secret', 'password']
/**
 * Members that bear secrets, in what clients send and in what they are answered, where `code` is the name of an error.
 */
export const SECRETS = {
  request: new Set([...RESPONSE_SECRETS, 'code', 'code_verifier', 'code_challenge', 'token']),
  response: new Set(RESPONSE_SECRETS),
}

/** Access tokens, refresh tokens and codes are known by their form wherever they stand. */
const TOKEN_PATTERN = /APP_USR-\d+-\d{6}-[0-9a-f]+-\d+|TG-[0-9a-f]{8,}-\d+/g

export const redactTokens = (text: string): string => text.replace(TOKEN_PATTERN, REDACTED)

/**
 * A text without its secrets, whatever it is: JSON, a form, multipart, or the beginning of one of them. A JSON text
 * that has secrets is written anew; every other text keeps its letters.
 */
export function redact(text: string, secrets: Set<string>): string {
  return redactTokens(redactJson(text, secrets) ?? redactText(text, secrets))
}

function redactJson(text: string, secrets: Set<string>): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    let found = false
    const value = JSON.parse(text, (name, value: unknown) => {
      if (!secrets.has(name) || value === null || typeof value === 'object') return value
      found = true
      return REDACTED
    })
    return found ? JSON.stringify(value) : text
  } catch {
    return undefined
  }
}

function redactText(text: string, secrets: Set<string>): string {
  const names = [...secrets].join('|')
  return text
    .split('&')
    .map((pair) => (secrets.has(nameOf(pair)) ? `${pair.slice(0, pair.indexOf('='))}=${REDACTED}` : pair))
    .join('&')
    .replace(
      new RegExp(`("(?:${names})"\\s*:\\s*)("(?:[^"\\\\]|\\\\[^])*(?:"|\\\\?$)|[\\w.+-]+)`, 'g'),
      `$1"${REDACTED}"`,
    )
    .replace(
      new RegExp(
        `(name="?(?:${names})"?(?:[^\\S\\n]*;[^\\n]*)?\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n)[^]*?(?=\\r?\\n--|$)`,
        'g',
      ),
      `$1${REDACTED}`,
    )
}

/** The name in `name=value` of a form; empty when it is no such thing. */
function nameOf(pair: string): string {
  const at = pair.indexOf('=')
  if (at < 0) return ''
  try {
    return decodeURIComponent(pair.slice(0, at).replaceAll('+', ' ')).trim()
  } catch {
    return ''
  }
}
