import { holdYoungGeneration } from './young_generation.ts'

/** The server is evaluated when a command needs it. */
export function loadServer() {
  holdYoungGeneration()
  return import('./serve.ts')
}
