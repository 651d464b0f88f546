#!/usr/bin/env node
import { EXIT } from './failure.ts'
import { main } from './program.ts'

// Whoever reads may stop reading: `mercadito requests | head`.
process.stdout.on('error', () => process.exit(EXIT.ok))

process.exitCode = await main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
})
