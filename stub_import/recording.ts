import { printable } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import { readLines } from '../replay/read.ts'
import type { SeenCall } from './calls.ts'

const MAX_CHARACTERS = 64 * 1024 * 1024

/** The calls of a recording whose whole answer it has. Throws a CliError. */
export async function callsOfRecording(file: string): Promise<SeenCall[]> {
  const calls: SeenCall[] = []
  let characters = 0
  for await (const { line } of readLines(file)) {
    if (line.kind !== 'call' || line.status === null || line.compare === 'prefix' || line.incomplete) continue
    const { method, target, body, headers, status, answer = '', answer_headers } = line
    characters += target.length + (body?.length ?? 0) + answer.length
    if (characters > MAX_CHARACTERS)
      throw usageError(`${printable(file)}: its calls have more than ${MAX_CHARACTERS} characters`)
    calls.push({
      ...{ method, body, status, answer },
      target: target.replace(/^\/w\/\d+(?=\/)/, ''),
      bodyType: headers['content-type'],
      // The journal has no headers of answers.
      answerType: answer_headers?.['content-type'] ?? 'application/json',
    })
  }
  return calls
}
