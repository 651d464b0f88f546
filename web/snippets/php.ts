import type { HttpCall, TestedCall, Text } from './call.ts'

const SEND = `function send(string $url, array $options): array
{
    $body = file_get_contents($url, false, stream_context_create(['http' => $options + ['ignore_errors' => true]]));
    preg_match('/ (\\d+)/', $http_response_header[0], $found);
    return [(int) $found[1], $body];
}
`

/** A program for PHP 8, without packages. */
export const php = (call: HttpCall): string => `<?php // php call.php

${SEND}
[$status, $body] = ${sendOf(call)};
echo $status, ' ', $body, "\\n";
`

/** A test that any PHP runs: it ends with an error where an answer differs. */
export const phpTest = (title: string, calls: TestedCall[]): string => `<?php // php call_test.php

// ${comment(title)}

${SEND}
function same(mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        throw new Exception(json_encode($actual) . ' instead of ' . json_encode($expected));
    }
}

${calls.map(step).join('\n\n')}

echo "ok\\n";
`

function step({ title, call, status, members, capture }: TestedCall): string {
  const needsBody = Object.keys(members).length > 0 || capture
  return [
    `// ${comment(title)}`,
    `[$status, $body] = ${sendOf(call)};`,
    `same(${status}, $status);`,
    ...(needsBody ? ['$json = json_decode($body, true);'] : []),
    ...Object.entries(members).map(([name, value]) => `same(${scalar(value)}, $json[${literal(name)}]);`),
    ...(capture ? [`$${capture.variable} = (string) $json[${literal(capture.member)}];`] : []),
  ].join('\n')
}

function sendOf({ method, url, headers, body, tokenVariable }: HttpCall): string {
  const sent = [
    ...(tokenVariable === null ? [] : [`        'Authorization: Bearer ' . getenv('${tokenVariable}'),`]),
    ...Object.entries(headers).map(([name, value]) => `        ${literal(`${name}: ${value}`)},`),
  ]
  return [
    `send(${expression(url)}, [`,
    `    'method' => ${literal(method)},`,
    ...(sent.length === 0 ? [] : ["    'header' => [", ...sent, '    ],']),
    ...(body === null ? [] : [`    'content' => ${expression(body)},`]),
    '])',
  ].join('\n')
}

const expression = (text: Text): string =>
  text
    .filter((part) => part !== '')
    .map((part) => (typeof part === 'string' ? literal(part) : `$${part.variable}`))
    .join(' . ') || "''"

/** One line, which does not end PHP. */
const comment = (text: string): string => text.replaceAll(/\s/g, ' ').replaceAll('?>', '? >')

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const scalar = (value: unknown): string => (typeof value === 'string' ? literal(value) : String(value))
