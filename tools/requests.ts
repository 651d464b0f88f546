import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { buildAll } from './build.ts'
import { HTTP_FOLDER, requestFiles } from './requests/files.ts'
import { at } from './root.ts'

// Generates the requests of examples/http and examples/postman from openapi.json.

// The demo world is an asset in dist/.
await buildAll()
const files = await requestFiles()
for (const path of globSync(at(`${HTTP_FOLDER}/*.http`))) rmSync(path)
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
}
