#!/usr/bin/env node
'use strict'

// What `npx mercadito` runs where the package is installed; written so that any Node since 12 can read it.
const { complaint } = require('./node_version.cjs')
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
const { enableCompileCache } = require('node:module')
const { homedir } = require('node:os')
const { join } = require('node:path')
try {
  // What was compiled once is not compiled again at the next start; where nobody else writes.
  enableCompileCache(process.env.NODE_COMPILE_CACHE || join(homedir(), '.cache', 'mercadito'))
} catch {
  // A user without a home.
}
require('../dist/mercadito.cjs').program()
