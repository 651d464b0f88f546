import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { type Amount, formatMegabytes, formatProgress, formatSummary } from '../../lib/cli/progress.ts'
import { launch, program } from '../support/bundle.ts'
import { until } from '../support/until.ts'

// What people see on a terminal, which `script` provides; piped output is tested with the commands.

const hasTerminal = spawnSync('script', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'mercadito-terminal-'))
t.teardown(() => rmSync(folder, { recursive: true }))

/** Reads the program's output until it matches `pattern`, since a line may arrive in parts, and removes the match from it. */
const outputOf = (child: ReturnType<typeof onTerminal>) => {
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  return async (pattern: RegExp) => {
    const match = await until(`${pattern}`, () => pattern.exec(output))
    output = output.slice(match.index + match[0].length)
    return match[0]
  }
}

const onTerminal = (command: string, env: NodeJS.ProcessEnv = {}) =>
  spawn('script', ['-qec', `${process.execPath} ${program} ${command}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Node.js writes no colours where CI is set.
    env: { ...process.env, CI: undefined, NO_COLOR: undefined, FORCE_COLOR: undefined, TERM: 'xterm', ...env },
  })

t.test('progress has a rate and the time that is left, and ends with a summary', async (t) => {
  const sent: Amount = { label: 'load world.json', done: 0, total: 40e6, seconds: 1.4, format: formatMegabytes }
  const rows: [Partial<Amount>, line: string][] = [
    [{}, 'load world.json  1 s'],
    [{ done: 12e6, seconds: 1.5 }, 'load world.json  12.0 MB of 40.0 MB, 30 %, 8.0 MB/s, 4 s left'],
    [{ done: 12e6, total: 0, seconds: 2 }, 'load world.json  12.0 MB, 6.0 MB/s'],
    [{ done: 40e6, seconds: 6 }, 'load world.json  40.0 MB, waiting for the server, 6 s'],
  ]
  for (const [change, line] of rows) t.equal(formatProgress({ ...sent, ...change }), line)
  t.equal(formatSummary({ ...sent, done: 40e6, seconds: 5 }), 'load world.json  40.0 MB in 5.0 s, 8.0 MB/s')
  t.equal(formatSummary({ ...sent, seconds: 5 }), 'load world.json  5.0 s')
})

t.test('import shows progress on a terminal', { skip: !hasTerminal }, async (t) => {
  const server = await launch(t)
  const file = join(folder, 'contacts.ndjson')
  const line = `{"kind":"phone_view","item_id":"MLA1400000001","at":"2026-03-02T12:00:00Z"}\n`
  writeFileSync(file, line)
  // Standard input goes on a second after progress was shown first: then there is a summary, too.
  const shown = join(folder, 'shown')
  const input = `cat ${file}; until [ -e ${shown} ]; do sleep 0.05; done; sleep 1; cat ${file}`
  const child = onTerminal(`contacts import - --url ${server.url} < <(${input})`, { SHELL: '/bin/bash' })
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes(' MB/s')) writeFileSync(shown, '')
  }
  const lines = output.split(/\r\n|\r\u001b\[2K/).filter(Boolean)
  t.match(lines[0], /^contacts import - {2}0\.0 MB, 0\.0 MB\/s$/)
  t.match(lines.at(-2), /^contacts import - {2}0\.0 MB in \d\.\d s, 0\.0 MB\/s$/)
  t.equal(lines.at(-1), '2 imported')
  await server.stop()
})

/** Operations of a server that is asked three times how far it is, and what their command prints. */
const OPERATIONS = [
  {
    command: 'snapshot restore before',
    progress: { operation: 'restore', unit: 'bytes', done: 3e6, total: 12e6 },
    answers: { '/_sandbox/snapshots/before/restore': undefined },
    line: /^restore {2}3\.0 MB of 12\.0 MB, 25 %, \d+\.\d MB\/s, \d+ s left$/,
    summary: /^restore {2}12\.0 MB in \d+\.\d s, \d+\.\d MB\/s$/,
    last: /^world 1 is restored to before$/,
  },
  {
    command: 'simulate --days 40 --no-notify',
    progress: { operation: 'simulate', unit: 'days', done: 9, total: 40 },
    answers: { '/_sandbox/simulate': { questions: 7 } },
    line: /^simulate {2}9 days of 40 days, 22 %, [\d.]+ days\/s, \d+ s left$/,
    summary: /^simulate {2}40 days in \d+\.\d s, [\d.]+ days\/s$/,
    last: /questions.* 7/,
  },
]

for (const { command, progress, answers, line, summary, last } of OPERATIONS)
  t.test(`${command} shows the progress of the server, and a summary`, { skip: !hasTerminal }, async (t) => {
    let reads = 0
    let finish = () => {}
    const enough = new Promise<void>((resolve) => {
      finish = resolve
    })
    const ours = { ...progress, world: 1, ms: 1 }
    const others = [
      { ...ours, world: 2 },
      { ...ours, operation: 'backup' },
    ]
    const server = createServer(async ({ url }, response) => {
      if (url === '/_sandbox/progress') {
        if (++reads === 3) finish()
        return response.end(JSON.stringify({ results: [...others, ours] }))
      }
      // A summary appears only after a second.
      await Promise.all([enough, setTimeout(1100)])
      const [[path, body]] = Object.entries(answers) as [[string, object | undefined]]
      response.writeHead(url !== path ? 404 : body ? 200 : 204, { 'content-type': 'application/json' })
      response.end(body && JSON.stringify(body))
    })
    t.teardown(() => server.close())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    let output = ''
    for await (const chunk of onTerminal(`${command} --url http://127.0.0.1:${port}`).stdout) output += chunk
    const lines = output.split(/\r\n|\r\u001b\[2K/).filter(Boolean)
    t.match(
      lines.filter((one) => line.test(one)),
      [String],
      output,
    )
    t.match(lines.at(-2), summary)
    t.match(lines.at(-1), last)
  })

t.test('--log pretty writes one line for each request, coloured on a terminal', { skip: !hasTerminal }, async (t) => {
  const child = onTerminal('--port 0 --ready-json --scenario empty --log pretty')
  const exited = once(child, 'exit')
  const read = outputOf(child)
  const { url, sellers } = JSON.parse(await read(/^\{.*\}\r\n/m))
  const headers = { authorization: `Bearer ${sellers[0].token}` }
  await fetch(`${url}/currencies`)
  await fetch(`${url}/questions/search?status=UNANSWERED&limit=2`, { headers })
  await fetch(`${url}/nothing?secret=1`)
  const output = await read(/^(.*\r\n){3}/)
  child.kill('SIGINT')
  child.kill('SIGTERM')
  const lines = output
    .replace(/\[\d\d:\d\d:\d\d\.\d{3}\]/g, '[time]')
    .replace(/[\d.]+ ms/g, '1 ms')
    .split('\r\n')
  const info = '[time] \u001b[32mINFO\u001b[39m: \u001b[36m'
  t.strictSame(lines.slice(0, 3), [
    `${info}GET /currencies  \u001b[32m200\u001b[36m  1 ms\u001b[39m`,
    `${info}GET /questions/search?status=UNANSWERED&limit=2  \u001b[32m200\u001b[36m  1 ms\u001b[39m`,
    `${info}GET (no such path)  \u001b[33m404\u001b[36m  1 ms\u001b[39m`,
  ])
  await exited
})

t.test('listen shows texts, and colours on a terminal', { skip: !hasTerminal }, async (t) => {
  const server = await launch(t, '--now', '2026-03-07T15:00:00Z')
  const child = onTerminal(`webhooks listen --url ${server.url}`)
  const read = outputOf(child)
  await read(/Ctrl-C.*\r\n/)
  await fetch(`${server.url}/_sandbox/questions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"id":77,"item_id":"MLA1400000001","text":"¿Tiene garantía?"}',
  })
  t.equal(
    // The buyer is notified at the same time.
    (await read(/^.* for 2500000101 .*\r\n/m)).replace(/\d+ of/, '1 of'),
    '\u001b[2m2026-03-07T15:00:00.000Z\u001b[22m  questions  \u001b[36m/questions/77\u001b[39m  for 2500000101  attempt 1  1 of 10000 ms  \u001b[32m200\u001b[39m  \u001b[3m“¿Tiene garantía?”\u001b[23m\r\n',
  )
  child.kill('SIGTERM')
  await server.stop()
})
