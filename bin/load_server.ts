import { setStartFlags } from './v8_flags.ts'

/** The server is evaluated when a command needs it. */
export function loadServer() {
  setStartFlags()
  return import('./serve.ts')
}
