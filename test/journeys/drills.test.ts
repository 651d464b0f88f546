import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import type { Verdict } from '../../bin/drills/drill.ts'
import { DRILLS } from '../../bin/drills/drills.ts'
import { freePort } from '../cluster/postgres.ts'
import { inProcess, startCommandServer } from '../support/commands.ts'

// Each drill with a program that passes it and with one that fails.

const PARTS: Record<string, string> = {
  'refresh-race': 'poll',
  'changed-password': 'poll',
  'blocked-application': 'poll',
  operator: 'authorize',
  'topic-off': 'missed',
  'too-many-calls': 'scan',
  'expired-scroll': 'scan',
  'closed-search': 'market',
  duplicates: 'listen',
  'clock-ahead': 'poll',
}
const { url } = await startCommandServer(t)
const fileOf = (name: string) => fileURLToPath(new URL(`../../examples/drills/${name}.mjs`, import.meta.url))

async function runDrill(name: string, program: 'careful' | 'careless', ...flags: string[]) {
  const port = String(await freePort())
  const command = [process.execPath, fileOf(program), PARTS[name]!, port]
  const callback = ['--callback', `http://127.0.0.1:${port}/`]
  return inProcess('drill', 'run', name, '--url', url, ...callback, ...flags, '--', ...command)
}
const verdictOf = async (...args: Parameters<typeof runDrill>): Promise<Verdict & { code: number }> => {
  const { code, output, errors } = await runDrill(args[0], args[1], '--format', 'json')
  if (output === '') throw new Error(errors)
  return { ...JSON.parse(output), code }
}

t.test('each drill tells a careful program from a careless one', async (t) => {
  t.strictSame(Object.keys(PARTS).sort(), DRILLS.map(({ name }) => name).sort())
  const verdicts = Object.keys(PARTS).map(async (name) => ({
    name,
    careful: await verdictOf(name, 'careful'),
    careless: await verdictOf(name, 'careless'),
  }))
  for (const { name, careful, careless } of await Promise.all(verdicts)) {
    t.strictSame([careful.verdict, careful.code], ['passed', 0], name, { careful })
    t.strictSame([careless.verdict, careless.code], ['failed', 3], name, { careless })
  }
})

t.test('the verdict as text, in three languages, and as JUnit XML', async (t) => {
  const { code, output, errors } = await runDrill('closed-search', 'careless', '--lang', 'es')
  t.strictSame(
    { code, output, errors },
    {
      code: 3,
      output: `La búsqueda pública de un sitio responde 403 a todos (closed-search)
  ✗ Pregunta una vez, y no de nuevo con otro token o sin él
  ✗ Sigue sin la búsqueda, por ejemplo con las publicaciones de su vendedor
failed: 5 calls, exit code of the program 0
`,
      errors: '',
    },
  )
  const junit = await runDrill('closed-search', 'careful', '--format', 'junit', '--lang', 'pt')
  t.strictSame(
    [junit.code, junit.output],
    [
      0,
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="closed-search: A busca pública de um site responde 403 a todos" tests="2" failures="0" errors="0">
  <testsuite name="closed-search: A busca pública de um site responde 403 a todos" tests="2" failures="0" errors="0" skipped="0">
    <testcase classname="mercadito.drill.closed-search" name="Pergunta uma vez, e não de novo com outro token ou sem ele"></testcase>
    <testcase classname="mercadito.drill.closed-search" name="Continua sem a busca, por exemplo com os anúncios do seu vendedor"></testcase>
  </testsuite>
</testsuites>
`,
    ],
  )
})

t.test('a program that never comes to the situation gets no verdict', async (t) => {
  const file = join(t.testdir(), 'verdict.json')
  const idle = ['drill', 'run', 'operator', '--url', url, '--format', 'json', '--output', file, '--for', '1s']
  const { code, output, errors } = await inProcess(...idle, '--', process.execPath, '-e', 'setInterval(() => {}, 1000)')
  t.strictSame([code, output], [1, ''])
  t.match(errors, 'the program did not come to what the drill is about; does it use MERCADITO_URL?')
  t.match(JSON.parse(readFileSync(file, 'utf8')), { drill: 'operator', verdict: 'unseen', calls: 0, exit_code: 143 })
})

t.test('lists the drills, and rejects what it cannot run', async (t) => {
  const listed = JSON.parse((await inProcess('drill', 'list', '--json')).output)
  t.strictSame(
    listed.map(({ name }: { name: string }) => name),
    DRILLS.map(({ name }) => name),
  )
  t.match(
    (await inProcess('drill', 'list', '--lang', 'es')).output,
    /^duplicates +Una notificación llega dos veces.* --callback$/m,
  )
  const refused = async (...argv: string[]) => {
    const { code, errors } = await inProcess('drill', 'run', ...argv, '--', 'true')
    return [code, errors]
  }
  const names = DRILLS.map(({ name }) => name).join(', ')
  t.strictSame(await refused('nothing'), [2, `mercadito: nothing is no drill; one of ${names}\n`])
  t.strictSame(await refused('duplicates', '--callback', 'port 3000'), [
    2,
    'mercadito: --callback must be an absolute URL, such as http://127.0.0.1:3000/\n',
  ])
  t.strictSame(await refused('duplicates'), [2, 'mercadito: duplicates needs --callback <url>\n'])
})
