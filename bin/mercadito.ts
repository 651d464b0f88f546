import { EXIT } from '../lib/cli/errors.ts'
import { main } from './program.ts'

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // The reader may close the pipe early: `mercadito requests | head`.
  if (code === 'EPIPE') process.exit(EXIT.ok)
  process.stderr.write(`mercadito: cannot write to standard output (${message})\n`)
  process.exit(EXIT.failure)
})

// No await: a single executable's program is CommonJS.
void main(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
}).then((code) => {
  process.exitCode = code
})
