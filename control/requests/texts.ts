import type { Expectation } from './verify_schemas.ts'

/** Characters of an expectation in a message. */
const MAX_NAME_CHARACTERS = 500

type Call = Pick<Expectation, 'method' | 'path' | 'query' | 'body' | 'status'>

/** The expected call on one line: `POST /answers with body {"question_id":1}`. */
export function describeCall({ method, path, query, body, status }: Call): string {
  const rest = [
    ...(query === undefined ? [] : [`query ${JSON.stringify(query)}`]),
    ...(body === undefined ? [] : [`body ${JSON.stringify(body)}`]),
    ...(status === undefined ? [] : [status === 0 ? 'no answer' : `status ${status}`]),
  ].join(' and ')
  const name = `${method ?? 'any method'} ${path}${rest && ` with ${rest}`}`
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name
}
