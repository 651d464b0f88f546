import { readFileSync } from 'node:fs'

/** What the build made beside the program: migrations, scenarios, documents. The path is the same from source and bundle. */
const folder = new URL('../dist/assets/', import.meta.url)

/** The bytes of one asset. Throws when the build has not been run. */
export const asset = (name: string): Buffer => readFileSync(new URL(name, folder))
