import { json } from '../../plugins/bodies.ts'
import { invalidJson } from './errors.ts'

/** The object that a body holds; anything else is refused. */
export function objectIn(body: unknown): Record<string, unknown> {
  const { value } = json(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidJson()
  return value as Record<string, unknown>
}
