import type { HttpCall, TestedCall, Text } from './call.ts'

/** A program for Node 18 and later. */
export const node = (call: HttpCall): string => `// node call.mjs
const answer = ${fetchOf(call)}
console.log(answer.status, await answer.text())
`

/** A test for \`node --test\`. */
export const nodeTest = (title: string, calls: TestedCall[]): string => `// node --test call.test.mjs
import assert from 'node:assert/strict'
import test from 'node:test'

test(${literal(title)}, async () => {
${indent(calls.map((one, n) => step(one, n === 0 ? '' : String(n + 1))).join('\n\n'), '  ')}
})
`

function step({ title, call, status, members, capture }: TestedCall, suffix: string): string {
  const [answer, body] = [`answer${suffix}`, `body${suffix}`]
  const needsBody = Object.keys(members).length > 0 || capture
  return [
    `// ${title.replaceAll(/\s/g, ' ')}`,
    `const ${answer} = ${fetchOf(call)}`,
    `assert.equal(${answer}.status, ${status})`,
    ...(needsBody ? [`const ${body} = await ${answer}.json()`] : []),
    ...Object.entries(members).map(
      ([name, value]) => `assert.equal(${body}[${literal(name)}], ${JSON.stringify(value)})`,
    ),
    ...(capture ? [`const ${capture.variable} = ${body}[${literal(capture.member)}]`] : []),
  ].join('\n')
}

function fetchOf({ method, url, headers, body, tokenVariable }: HttpCall): string {
  const sent = [
    ...(tokenVariable === null ? [] : [`    authorization: 'Bearer ' + process.env.${tokenVariable},`]),
    ...Object.entries(headers).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    ...(sent.length === 0 ? [] : ['  headers: {', ...sent, '  },']),
    ...(body === null ? [] : [`  body: ${expression(body)},`]),
  ]
  return options.length === 0
    ? `await fetch(${expression(url)})`
    : `await fetch(${expression(url)}, {\n${options.join('\n')}\n})`
}

/** Also in Python: its strings and `+` are the same. */
export const expression = (text: Text): string =>
  text
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? literal(part) : part.variable))
    .join(' + ') || "''"

/** Single quotes, unless the text has some. */
export const literal = (text: string): string => {
  const quoted = JSON.stringify(text)
  return text.includes("'") ? quoted : `'${quoted.slice(1, -1).replaceAll('\\"', '"')}'`
}

export const indent = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by)
