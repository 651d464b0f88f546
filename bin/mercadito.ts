#!/usr/bin/env node
import { EXIT, Failure } from './failure.ts'
import { visible } from './output.ts'
import { program, run } from './program.ts'

// Whoever reads may stop reading: `mercadito requests | head`.
process.stdout.on('error', () => process.exit(EXIT.ok))

function assume(text: string, before: Partial<Switches> = {}): Partial<Switches> {
  const [, name = text, value] = /^([^=]*)=(.*)$/.exec(text) ?? []
  const complaint = complaintAbout(name, value)
  if (complaint) throw new InvalidArgumentError(`${isSwitch(name) ? `${name}: it` : 'The name'} ${complaint}.`)
  return { ...before, [name]: value }
}

try {
  await run(program(), process.argv)
} catch (error) {
  const [line] = (error as Error).message.split('\n')
  // A token of a user has no place in logs, wherever it was written.
  process.stderr.write(`mercadito: ${visible(line).replace(/\b(APP_USR|TG|TEST)-[\w-]+/g, '$1-…')}\n`)
  process.exitCode = error instanceof Failure ? error.code : EXIT.failure
}
