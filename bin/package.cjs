#!/usr/bin/env node
'use strict'

// The `mercadito` command of the npm package. Node 12 must be able to parse it, to print what it needs.
const { complaint } = require('./node_version.cjs')
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
require('./npx.cjs')
const { enableCompileCache } = require('node:module')
const { homedir } = require('node:os')
const { join } = require('node:path')
try {
  // In the user's own folder: a shared one could be written by others.
  enableCompileCache(process.env.NODE_COMPILE_CACHE || join(homedir(), '.cache', 'mercadito'))
} catch {
  // The user has no home folder.
}
require('../dist/mercadito.cjs').program()
