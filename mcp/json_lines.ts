import { createInterface } from 'node:readline'
import { Readable, type Writable } from 'node:stream'

/** The answer of JSON-RPC 2.0 to a text that is not JSON: the id of the request is not known. */
const PARSE_ERROR = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error: the line is not JSON' } })}\n`

/** Passes lines of JSON on, and answers any other line with a parse error: the SDK answers none, and the client would wait. */
export function readJsonLines(input: Readable, output: Writable): Readable {
  async function* lines() {
    for await (const line of createInterface({ input })) {
      if (line.trim() === '') continue
      if (isJson(line)) yield Buffer.from(`${line}\n`)
      else output.write(PARSE_ERROR)
    }
  }
  return Readable.from(lines())
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
