import { holdYoungGeneration, keepCompiledCode } from './young_generation.ts'

/** The server is evaluated when a command needs it. */
export function loadServer() {
  holdYoungGeneration()
  keepCompiledCode()
  return import('./serve.ts')
}
