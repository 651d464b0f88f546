// Replaces `@modelcontextprotocol/server/_shims` in builds: its validator is a second copy of ajv (150 kB), which only
// requests of the server to the client would need.

export { default as process } from 'node:process'

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('this server validates no answers of clients')
  }
}
