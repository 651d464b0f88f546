import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { repositoryComplaint } from './repository_node.cjs'

// Entry point of the program in a repository. An old Node cannot even link what the program imports, so the version is
// checked before any of it is loaded.

const complaint = repositoryComplaint(fileURLToPath(new URL('..', import.meta.url)))
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
// The next start compiles nothing again. This file is dist/mercadito.js.
if (!process.env.NODE_COMPILE_CACHE) module.enableCompileCache(fileURLToPath(new URL('compiled', import.meta.url)))
await import('./mercadito.ts')
