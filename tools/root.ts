import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The absolute path of a file of the repository. */
export const at = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))
