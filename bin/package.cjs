#!/usr/bin/env node
'use strict'

// The `mercadito` command of the npm package. Node 12 must be able to parse it, to print what it needs.
const { complaint } = require('./node_version.cjs')
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}
require('./npx.cjs')
const { join } = require('node:path')
require('./code_cache.cjs').load(join(__dirname, '../dist/program/mercadito.cjs'))
