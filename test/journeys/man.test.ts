import { spawnSync } from 'node:child_process'
import t from 'tap'
import { createProgram } from '../../bin/program.ts'
import { manPage } from '../../tools/package/man.ts'
import { inProcess } from '../support/commands.ts'

const page = manPage(createProgram({ out() {}, err() {} }))

t.test('the manual page has every command with its flags', async (t) => {
  const { output } = await inProcess('status', 'completion', 'bash')
  const commands = [...output.matchAll(/^ {4}'([a-z -]+)'\) found='([^']*)'/gm)].map(
    ([, command, words]) => [command!, words!.split(' ')] as const,
  )
  t.ok(commands.length > 50)
  for (const [command, words] of commands) {
    // Groups of commands list their members instead.
    if (words.includes('help')) continue
    const name = command.replaceAll('-', '\\-')
    const [, section = ''] = page.split(new RegExp(`^\\.SS "${name.replaceAll('\\', '\\\\')}[ "]`, 'm'))
    const entry = section.split(/^\.S[SH] /m)[0]!
    const common = words.includes('--url')
      ? ['--url', '--admin-token', '--admin-token-file', '--ca', '--json', '--help']
      : ['--help']
    const missing = words.filter(
      (flag) => !common.includes(flag) && !entry.includes(`.B "${flag.replaceAll('-', '\\-')}`),
    )
    t.strictSame([section === '', missing], [false, []], command)
  }
})

t.test('the entry of a command has arguments, flags and their variables', async (t) => {
  t.equal(
    /^\.SS "status wait".*?(?=^\.S[SH])/ms.exec(page)![0],
    `.SS "status wait"
Wait until the server is ready; needs no token.
.TP
.B "\\-\\-timeout <duration>"
give up after this (default: 30s; MERCADITO_STATUS_WAIT_TIMEOUT)
`,
  )
  t.equal(
    /^\.SS "clock back.*?(?=^\.S[SH]|^\.PP)/ms.exec(page)![0],
    `.SS "clock back <duration>"
Move the clock back.
.TP
.I duration
such as 2h30m, 90s, 500ms, 1d or PT2H30M
`,
  )
})

t.test('the examples begin with those of exec and start, and have one of every command', async (t) => {
  const [, section] = /^\.SH EXAMPLES\n(.*?)^\.SH/ms.exec(page)!
  t.equal(
    section!.split('.TP\n').slice(1, 5).join(''),
    `.B "mercadito exec \\-\\- npm test"
run a program with its own new world, and exit with its exit code
.B "mercadito start"
a populated marketplace on http://127.0.0.1:4400
.B "mercadito start \\-\\-data ./market"
the same, stored in ./market
.B "mercadito start \\-\\-port 0 \\-\\-scenario empty \\-\\-now 2026\\-03\\-02T12:00:00Z"
an empty one on a free port, with the same answers in every run
`,
  )
  const entries = [...page.matchAll(/^\.SS "(.*)"\n(.)(.*)\.$/gm)]
  t.ok(entries.length > 50)
  for (const [, command, first, rest] of entries)
    if (command !== 'start') t.ok(section!.includes(`\n${first!.toLowerCase()}${rest}\n`), command!)
})

const hasGroff = spawnSync('groff', ['--version']).status === 0
t.test('groff formats it without a warning', { skip: !hasGroff }, async (t) => {
  const { status, stdout, stderr } = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: page, encoding: 'utf8' })
  t.strictSame([status, stderr], [0, ''])
  t.match(stdout, 'a sandbox server that speaks a seller marketplace’s API')
})
