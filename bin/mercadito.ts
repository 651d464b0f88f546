#!/usr/bin/env node
import { EXIT } from './errors.ts'
import { main } from './program.ts'

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // Whoever reads may stop reading: `mercadito requests | head`.
  if (code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`mercadito: standard output cannot be written (${message})\n`)
  process.exit(EXIT.failure)
})

// No await: a single executable's program is CommonJS.
main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code
})
