import { setFlagsFromString } from 'node:v8'

/**
 * Loads the server, and keeps V8's young generation at the size that it has before, at most 8 MB: evaluating the server makes it grow, and
 * under load it would grow to 64 MB, although requests get no faster. V8 reads a maximum only when it starts, but this factor
 * whenever the space may grow. An option of Node takes precedence.
 */
export function loadServer() {
  if (![process.env.NODE_OPTIONS, ...process.execArgv].some((option) => option?.includes('semi-space')))
    setFlagsFromString('--semi-space-growth-factor=1')
  return import('./serve.ts')
}
