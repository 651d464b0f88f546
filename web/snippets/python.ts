import type { HttpCall, TestedCall } from './call.ts'
import { expression, indent, literal } from './node.ts'

const IMPORTS = `import os
import urllib.error
import urllib.request
`

/** A program for Python 3, without packages. */
export const python = (call: HttpCall): string => `# python3 call.py
${IMPORTS}
${requestOf(call)}
try:
    answer = urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())
`

/** A test for `python -m unittest`. */
export const pythonTest = (title: string, calls: TestedCall[]): string => `# python3 test_call.py
import json
${IMPORTS.replace('import urllib.error', 'import unittest\nimport urllib.error')}

def send(request):
    try:
        return urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        return error


class Recorded(unittest.TestCase):
    def test_calls(self):
        ${JSON.stringify(title)}
${indent(calls.map(step).join('\n\n'), '        ')}


if __name__ == '__main__':
    unittest.main()
`

function step({ title, call, status, members, capture }: TestedCall): string {
  const needsBody = Object.keys(members).length > 0 || capture
  return [
    `# ${title.replaceAll(/\s/g, ' ')}`,
    requestOf(call),
    'answer = send(request)',
    `self.assertEqual(answer.status, ${status})`,
    ...(needsBody ? ['body = json.loads(answer.read())'] : []),
    ...Object.entries(members).map(([name, value]) => `self.assertEqual(body[${literal(name)}], ${scalar(value)})`),
    ...(capture ? [`${capture.variable} = str(body[${literal(capture.member)}])`] : []),
  ].join('\n')
}

function requestOf({ method, url, headers, body, tokenVariable }: HttpCall): string {
  const sent = [
    ...(tokenVariable === null ? [] : [`        'Authorization': 'Bearer ' + os.environ['${tokenVariable}'],`]),
    ...Object.entries(headers).map(([name, value]) => `        ${literal(name)}: ${literal(value)},`),
  ]
  return [
    'request = urllib.request.Request(',
    `    ${expression(url)},`,
    ...(method === 'GET' ? [] : [`    method=${literal(method)},`]),
    ...(sent.length === 0 ? [] : ['    headers={', ...sent, '    },']),
    ...(body === null ? [] : [`    data=(${expression(body)}).encode(),`]),
    ')',
  ].join('\n')
}

const NAMES = new Map<unknown, string>([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
])
const scalar = (value: unknown): string =>
  NAMES.get(value) ?? (typeof value === 'string' ? literal(value) : String(value))
