import { openapi, worldSchema } from './document.ts'
import type { Plane } from './texts.ts'
import { typesOf } from './types.ts'

/** Path of each committed document. */
export const FILES: Record<Plane, string> = { api: 'openapi.json', control: 'openapi.sandbox.json' }
/** The types of the control calls. */
export const TYPES = 'lib/operations.ts'
export const WORLD_SCHEMA = 'world.schema.json'

export const asText = (document: object): string => `${JSON.stringify(document, null, 2)}\n`

/** The text of every generated file, by its path. */
export async function generatedFiles(): Promise<Record<string, string>> {
  const control = await openapi('control')
  return {
    [FILES.api]: asText(await openapi('api')),
    [FILES.control]: asText(control),
    [TYPES]: typesOf(control),
    [WORLD_SCHEMA]: asText(worldSchema()),
  }
}
