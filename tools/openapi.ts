import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildAll } from './build.ts'

// `npm run openapi` writes the documents that are made from the routes, and what is derived from them.

/** Builds first: the server that is described reads its assets from dist/. */
export async function writeDocuments(): Promise<void> {
  await buildAll()
  const { generatedFiles } = await import('./openapi/files.ts')
  for (const [path, text] of Object.entries(await generatedFiles()))
    writeFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), text)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeDocuments()
