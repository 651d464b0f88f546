import { fileURLToPath } from 'node:url'
import { load } from './code_cache.cjs'
import { repositoryComplaint } from './repository_node.cjs'

// Entry point of the program in a repository, as dist/mercadito.js. The version of Node is checked before any of the program
// is loaded.

const complaint = repositoryComplaint(fileURLToPath(new URL('..', import.meta.url)))
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
const inFolder = (path) => fileURLToPath(new URL(path, import.meta.url))
load(inFolder('program/mercadito.cjs'), inFolder('compiled'))
