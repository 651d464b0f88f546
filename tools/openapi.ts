import { writeFileSync } from 'node:fs'
import { buildAll } from './build.ts'
import { at } from './root.ts'

// `npm run openapi` writes the documents that are made from the routes, and the types that are made from those.

// The server that is described reads its assets from dist/.
await buildAll()
const { generatedFiles } = await import('./openapi/files.ts')
for (const [path, text] of Object.entries(await generatedFiles())) writeFileSync(at(path), text)
