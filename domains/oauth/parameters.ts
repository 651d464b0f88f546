import { json } from '../../plugins/bodies.ts'

export type Parameters = Record<string, string>

/**
 * Parameters of an OAuth call, from wherever clients put them: a form, JSON or multipart body, else the query. What the
 * body says wins. A body that cannot be read gives none.
 */
export async function parametersOf(query: unknown, body: unknown, contentType = ''): Promise<Parameters> {
  return { ...flat(query), ...(await inBody(body, contentType)) }
}

async function inBody(body: unknown, contentType: string): Promise<Parameters> {
  if (typeof body !== 'string' || body.trim() === '') return {}
  if (/^multipart\/form-data/i.test(contentType)) return inMultipart(body, contentType)
  // Some clients send JSON as a form and forms as JSON: the text itself says which it is.
  const { value } = json(body)
  return flat(typeof value === 'object' && value !== null ? value : Object.fromEntries(new URLSearchParams(body)))
}

async function inMultipart(body: string, contentType: string): Promise<Parameters> {
  try {
    const form = await new Response(body, { headers: { 'content-type': contentType } }).formData()
    return flat(Object.fromEntries(form))
  } catch {
    return {}
  }
}

/** Single texts and numbers; the first of several; anything else is not a parameter. */
function flat(source: unknown): Parameters {
  const flatten = ([name, value]: [string, unknown]): [string, string][] => {
    const first = Array.isArray(value) ? value[0] : value
    return typeof first === 'string' || typeof first === 'number' ? [[name, String(first)]] : []
  }
  return Object.fromEntries(Object.entries(source as object).flatMap(flatten))
}
