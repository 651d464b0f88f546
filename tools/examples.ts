import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll } from './build.ts'
import { isInstalled, scratch } from './docs/commands.ts'
import { blocksOf } from './docs/markdown.ts'
import { openShell, startCommands } from './docs/processes.ts'
import { createReport } from './docs/report.ts'
import { at, root } from './root.ts'

// `npm run examples` compiles and runs the examples of languages that `npm test` does not need: their test with the
// commands of docs/guides/ci.md, and their program. `--require-all` makes a missing compiler a failure.

interface Language {
  name: string
  /** Programs that must be installed. */
  programs: string[]
  /** Checks of the sources; they must print nothing. */
  lint?: string[]
  /** As in the guide, in the folder of the repository. Compilers must warn of nothing. */
  test: string[]
  program: string[]
}

const LANGUAGES: Language[] = [
  {
    name: 'Go',
    programs: ['go', 'gofmt'],
    lint: ['gofmt -l examples/go', 'cd examples/go && go vet ./...'],
    test: ['cd examples/go && npx mercadito exec -- go test'],
    program: ['cd examples/go && npx mercadito exec -- go run .'],
  },
  {
    name: 'Java',
    programs: ['javac', 'java'],
    test: [
      'javac -d examples/java/dist examples/java/*.java',
      'npx mercadito exec -- java -cp examples/java/dist AnswersTest',
    ],
    program: ['npx mercadito exec -- java examples/java/Answers.java'],
  },
  {
    name: 'C#',
    programs: ['mcs', 'mono'],
    test: [
      'mkdir -p examples/csharp/dist',
      'mcs -r:System.Net.Http -out:examples/csharp/dist/test.exe examples/csharp/Answers.cs examples/csharp/AnswersTest.cs',
      'npx mercadito exec -- mono examples/csharp/dist/test.exe',
    ],
    program: [
      'mcs -warn:4 -warnaserror -r:System.Net.Http -out:"$OUT/main.exe" examples/csharp/Answers.cs examples/csharp/Program.cs',
      'npx mercadito exec -- mono "$OUT/main.exe"',
    ],
  },
]

const { values: flags } = parseArgs({
  options: { 'require-all': { type: 'boolean', default: process.env.MERCADITO_REQUIRE_ALL === '1' } },
})
const report = createReport((text) => process.stdout.write(text))
await buildAll()
const place = scratch(root)
Object.assign(place.env, {
  OUT: join(place.cwd, 'out'),
  // Nothing is downloaded, sources are UTF-8, and a short life needs no compiler that optimizes.
  ...{ GOPROXY: 'off', GOTOOLCHAIN: 'local', LC_ALL: 'C.UTF-8' },
  ...{ JDK_JAVAC_OPTIONS: '-Xlint:all -Werror', JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC' },
})
mkdirSync(place.env.OUT!)
const commands = startCommands(place)
const shell = openShell(place)

try {
  for (const language of LANGUAGES) await runLanguage(language)
  await report.check('docs/guides/ci.md has the same commands', checkGuide)
} finally {
  shell.close()
  commands.kill()
  rmSync(place.cwd, { recursive: true })
}
if (!report.close()) process.exitCode = 1

async function runLanguage({ name, programs, lint = [], test, program }: Language): Promise<void> {
  const missing = programs.filter((one) => !isInstalled(one))
  if (missing.length > 0) {
    if (!flags['require-all']) return report.skip(name, `needs ${missing.join(' and ')}`)
    return report.check(`${name} has a compiler`, () => {
      throw new Error(`${missing.join(' and ')} is not installed`)
    })
  }
  for (const line of lint)
    await report.check(`${name}: ${line}`, async () => {
      const output = await printed(line)
      if (output !== '') throw new Error(output)
    })
  for (const line of test)
    await report.check(`${name}: ${line}`, async () => {
      const output = await printed(line)
      if (/\bwarning\b/.test(output)) throw new Error(output)
    })
  await report.check(`${name}: ${program.join(' && ')}`, async () => {
    const output = await printed(program.join(' && '))
    if (!/^[1-9]\d* questions answered$/m.test(output)) throw new Error(`printed ${output}`)
  })
}

/** What a line prints. */
async function printed(line: string): Promise<string> {
  const output = await shell.run(`(${line}) && echo done`)
  return output.replace(/^(Picked up|NOTE: Picked up) .*\n/gm, '').replace(/done\n$/, '')
}

function checkGuide(): void {
  const blocks = blocksOf(readFileSync(at('docs/guides/ci.md'), 'utf8'))
  const written = blocks.flatMap(({ marks, text }) =>
    marks['not run']?.includes('npm run examples') ? text.trim().split('\n') : [],
  )
  const run = LANGUAGES.flatMap(({ test }) => test)
  const missing = run.filter((line) => !written.includes(line))
  const unknown = written.filter((line) => !run.includes(line))
  if (missing.length + unknown.length > 0) throw new Error(`missing: ${missing}; not run: ${unknown}`)
}
