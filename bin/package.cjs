#!/usr/bin/env node
'use strict'

// What `npx mercadito` runs where the package is installed; written so that any Node since 6 can read it.
const { complaint } = require('./node_version.cjs')
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
// What was compiled once is not compiled again at the next start.
require('node:module').enableCompileCache()
require('../dist/mercadito.cjs').program()
