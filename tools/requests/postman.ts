import { type ExampleCall, PICTURE } from './calls.ts'

/** A Postman collection, format 2.1.0, with a folder for each tag. Its variables are those of `mercadito world env --format postman`. */
export const postmanCollection = (calls: ExampleCall[]): object => ({
  info: {
    name: 'mercadito',
    description:
      'The calls of openapi.json with values of the demo world. Import the environment that `mercadito world env --format postman` writes, and select it.',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: bearer('token'),
  item: [...Map.groupBy(calls, ({ tag }) => tag)].map(([name, members]) => ({ name, item: members.map(toItem) })),
})

const bearer = (variable: string) => ({
  type: 'bearer',
  bearer: [{ key: 'token', value: `{{${variable}}}`, type: 'string' }],
})

function toItem({ summary, note, method, path, query, body, file, token, answer }: ExampleCall): object {
  const required = query.filter(({ isRequired }) => isRequired).map(({ name, value }) => `${name}=${value}`)
  return {
    name: summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: toTests(answer) } }],
    request: {
      method,
      ...(note && { description: note }),
      // Without a member, the request has that of the collection.
      ...(token !== 'token' && { auth: token ? bearer(token) : { type: 'noauth' } }),
      ...(body && {
        header: [{ key: 'Content-Type', value: 'application/json' }],
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
      ...(file && { body: { mode: 'formdata', formdata: [{ key: file, type: 'file', src: PICTURE }] } }),
      url: {
        raw: `{{url}}/${path.join('/')}${required.length > 0 ? `?${required.join('&')}` : ''}`,
        host: ['{{url}}'],
        path,
        ...(query.length > 0 && { query: query.map(toParameter) }),
      },
    },
    response: [],
  }
}

/** The lines of a script that compares an answer with the document. */
const toTests = ({ status, shape }: ExampleCall['answer']): string[] => [
  `pm.test('status ${status}', () => pm.response.to.have.status(${status}))`,
  ...(shape === null ? ["pm.test('no body', () => pm.expect(pm.response.text()).to.equal(''))"] : []),
  ...(shape ? [`pm.test('members', () => pm.response.to.have.jsonSchema(${JSON.stringify(shape)}))`] : []),
]

const toParameter = ({ name, value, isRequired, description }: ExampleCall['query'][number]) => ({
  ...{ key: name, value },
  ...(description && { description }),
  ...(!isRequired && { disabled: true }),
})
