import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printable } from '../domains/shared/commands.ts'
import { usageError } from '../lib/cli/errors.ts'
import type { ScannedCall, ScanReport } from './known.ts'

/** What runs the first test, with the name of its file. */
const RUNNERS: Record<string, string> = {
  javascript: 'node --test mercadito.test.mjs',
  python: 'python3 -m unittest test_mercadito.py',
  php: 'php mercadito_test.php',
  ruby: 'ruby mercadito_test.rb',
  go: 'go test mercadito_test.go',
  java: 'java MercaditoTest.java',
  csharp: 'dotnet run MercaditoTest.cs',
}

/** The first test. */
const TESTS: Record<string, string> = {
  javascript: `import assert from 'node:assert/strict'
import { env } from 'node:process'
import test from 'node:test'
test('reads the seller', async () => {
  const headers = { authorization: 'Bearer ' + env.MERCADITO_TOKEN }
  const response = await fetch(env.MERCADITO_URL + '/users/me', { headers })
  assert.equal(response.status, 200)
})
`,
  python: `import os, unittest, urllib.request
class MercaditoTest(unittest.TestCase):
    def test_reads_the_seller(self):
        headers = {"authorization": "Bearer " + os.environ["MERCADITO_TOKEN"]}
        request = urllib.request.Request(os.environ["MERCADITO_URL"] + "/users/me", headers=headers)
        self.assertEqual(urllib.request.urlopen(request).status, 200)
`,
  php: `<?php
$http = ['http' => ['header' => 'Authorization: Bearer ' . getenv('MERCADITO_TOKEN')]];
$seller = json_decode(file_get_contents(getenv('MERCADITO_URL') . '/users/me', false, stream_context_create($http)));
exit($seller->id == getenv('MERCADITO_SELLER_ID') ? 0 : 1);
`,
  ruby: `require 'net/http'
headers = { 'authorization' => 'Bearer ' + ENV['MERCADITO_TOKEN'] }
response = Net::HTTP.get_response(URI(ENV['MERCADITO_URL'] + '/users/me'), headers)
abort response.body unless response.code == '200'
`,
  go: `package main

import ("net/http"; "os"; "testing")

func TestReadsTheSeller(t *testing.T) {
	response, err := http.Get(os.Getenv("MERCADITO_URL") + "/users/me?access_token=" + os.Getenv("MERCADITO_TOKEN"))
	if err != nil || response.StatusCode != 200 { t.Error(response, err) }
}
`,
  java: `import java.net.*;
class MercaditoTest {
    public static void main(String[] args) throws Exception {
        var call = (HttpURLConnection) URI.create(System.getenv("MERCADITO_URL") + "/users/me").toURL().openConnection();
        call.setRequestProperty("Authorization", "Bearer " + System.getenv("MERCADITO_TOKEN"));
        if (call.getResponseCode() != 200) throw new AssertionError(call.getResponseCode());
    }
}
`,
  csharp: `using var client = new HttpClient();
client.DefaultRequestHeaders.Add("Authorization", "Bearer " + Environment.GetEnvironmentVariable("MERCADITO_TOKEN"));
await client.GetStringAsync(Environment.GetEnvironmentVariable("MERCADITO_URL") + "/users/me");
`,
}

export const STUBS_FILE = 'mercadito-stubs.json'
const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`

/** Writes what a test of the program begins with. Throws a CliError if a file exists, without `force`. */
export async function writeFirst(folder: string, { language, calls }: ScanReport, force: boolean | undefined) {
  const name = language in TESTS ? language : 'javascript'
  const runner = RUNNERS[name]!
  const missing = calls.filter(({ status }) => status === 'missing')
  const texts: [string, string][] = [
    ['mercadito.json', toJson({ scenario: 'demo', seed: 1 })],
    [runner.split(' ').at(-1)!, TESTS[name]!],
    ...(missing.length > 0 ? [[STUBS_FILE, toJson(documentOf(missing))] as [string, string]] : []),
  ]
  const files = texts.map(([file]) => join(folder, file))
  const existing = files.find((file) => existsSync(file))
  if (existing !== undefined && !force) throw usageError(`${printable(existing)} exists; add --force to replace it`)
  for (const [n, file] of files.entries()) await writeFile(file, texts[n]![1])
  const stubs = missing.length > 0 ? `mercadito stub import ${STUBS_FILE} && ${runner}` : undefined
  return { written: files, command: `mercadito exec -- ${stubs === undefined ? runner : `sh -c '${stubs}'`}` }
}

/** An empty answer for each call, as `stub import` reads it. */
function documentOf(calls: readonly ScannedCall[]) {
  const answer = { description: 'Replace the example', content: { 'application/json': { example: {} } } }
  const paths = Object.entries(Object.groupBy(calls, ({ path }) => path)).map(([path, list]) => [
    path.split('{}').reduce((all, part, n) => `${all}{value${n}}${part}`),
    Object.fromEntries(list!.map(({ method }) => [(method ?? 'get').toLowerCase(), { responses: { 200: answer } }])),
  ])
  return { openapi: '3.1.0', info: { title: 'Calls', version: '1' }, paths: Object.fromEntries(paths) }
}
