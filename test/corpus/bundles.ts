import { fileURLToPath } from 'node:url'

/** The folder of the recorded bundles. */
export const BUNDLES = fileURLToPath(new URL('./bundles', import.meta.url))
