import { writeFileSync } from 'node:fs'
import { buildAll } from './build.ts'
import { at } from './root.ts'

// `npm run openapi` generates the documents from the routes, and the types from the documents.

// Building a server needs its assets in dist/.
await buildAll()
const { generatedFiles } = await import('./openapi/files.ts')
for (const [path, text] of Object.entries(await generatedFiles())) writeFileSync(at(path), text)
