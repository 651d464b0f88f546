import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { type Part, runPart, sendSignal } from '../tools/gate/run_part.ts'
import { formatTable, runParts, type WeightedPart } from '../tools/gate/run_parts.ts'
import { changesOf } from '../tools/release/changes.ts'
import { at, root } from '../tools/root.ts'
import { until } from './support/until.ts'

// The script that decides whether main is green: a part can neither hang it nor pass without a result.

const shell = (name: string, line: string, more: Partial<WeightedPart> = {}) => ({
  name,
  command: ['sh', '-c', line],
  limit: 100,
  cores: 1,
  ...more,
})

function folderOf(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-gate-test-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  return folder
}

const processIn = (log: string): number => Number.parseInt(readFileSync(log, 'utf8'), 10)

t.test('a part passes with the count of its last line, or with its exit code', async (t) => {
  const folder = folderOf(t)
  const rows: [part: Part, passed: number, failure: string | undefined][] = [
    [shell('counted', 'echo "3 passed, 1 failed"; echo "12 passed, 0 failed"', { hasCount: true }), 12, undefined],
    [shell('skipped', 'echo "12 passed, 0 failed, 2 skipped"', { hasCount: true }), 12, undefined],
    [shell('uncounted', 'true'), 0, undefined],
    [shell('failing', 'echo "12 passed, 1 failed"', { hasCount: true }), 12, '12 passed, 1 failed'],
    [shell('failing-code', 'echo "12 passed, 0 failed"; exit 7', { hasCount: true }), 12, 'exit code 7'],
    [shell('empty', 'echo "0 passed, 0 failed"', { hasCount: true }), 0, '0 passed, 0 failed'],
    [shell('silent', 'true', { hasCount: true }), 0, 'no result'],
    [shell('killed', 'kill -9 $$', { hasCount: true }), 0, 'ended by SIGKILL'],
    [{ ...shell('unknown', ''), command: ['no-such-program'] }, 0, 'spawn no-such-program ENOENT'],
  ]
  for (const [part, passed, failure] of rows) {
    const result = await runPart(part, folder, process.env)
    t.strictSame([result.passed, result.failure], [passed, failure], part.name)
  }
})

t.test('a part that sleeps is ended at its limit, with all that it has started', async (t) => {
  const part = shell('sleeping', 'sleep 1000 & echo $!; trap "" TERM; wait; sleep 1000', { limit: 0.2 })
  const { failure, log } = await runPart(part, folderOf(t), process.env)
  t.match(failure, /^ended at its limit of 0\.2 s \(process group \d+\)$/)
  await until('the end of the process', () => !sendSignal(processIn(log), 0))
})

t.test('a process that a part leaves behind is ended, and cannot hold the output', async (t) => {
  const part = shell('orphan', 'sleep 1000 & echo $!; echo "1 passed, 0 failed"', { hasCount: true })
  const { failure, log } = await runPart(part, folderOf(t), process.env)
  t.match(failure, /^left processes behind \(process group \d+\), which were ended$/)
  await until('the end of the process', () => !sendSignal(processIn(log), 0))
})

t.test('parts run beside each other as far as the cores allow; the table has a row for each', async (t) => {
  const folder = folderOf(t)
  // The first two parts wait for each other.
  const meet = (name: string, other: string) =>
    shell(name, `touch ${folder}/${name}; until [ -e ${folder}/${other} ]; do sleep 0.01; done; rm -f ${folder}/alone`)
  const alone = shell('alone', `[ ! -e ${folder}/alone ] && echo broken && exit 3`, { cores: 2 })
  const parts = [
    meet('one', 'two'),
    alone,
    meet('two', 'one'),
    shell('counted', 'echo "2 passed, 0 failed"', { hasCount: true }),
  ]
  const printed: string[] = []
  const print = (text: string) => void printed.push(text.replace(/\d+ s$/m, 'N s'))
  const results = await runParts(parts, { cores: 2, folder, env: process.env, print })
  t.strictSame(
    printed.filter((text) => text.includes('alone')),
    ['| broken\n| \nalone: exit code 3, N s\n'],
  )
  t.equal(
    formatTable(
      [...parts, shell('later', '')],
      results.map((result) => ({ ...result, seconds: 1 })),
    ),
    `part     tests  seconds  result
one                   1  passed
alone                 1  exit code 3
two                   1  passed
counted      2        1  passed
later                    not run
`,
  )
})

t.test('what has failed is printed even if much follows it', async (t) => {
  const failures = [
    '    not ok 1 - a diff\n      ---\n      diff: |\n        -1\n\n        +2\n      ...\n    ok 2 - passed',
    'not ok 7 - a journey # time=3ms\n  the field is empty\n  at line 3\nok 8 - passed',
    `not ok 9 - long\n  ---\n${'  a line\n'.repeat(200)}  ...`,
  ]
  const folder = folderOf(t)
  writeFileSync(join(folder, 'output'), `${failures.join('\n')}\n${'# a comment\n'.repeat(500)}`)
  let printed = ''
  await runParts([shell('failing', `cat ${folder}/output; exit 1`)], {
    ...{ cores: 2, folder, env: process.env },
    print: (text) => {
      printed += text
    },
  })
  const [shown] = printed.split('| # a comment') as [string]
  t.equal(
    shown,
    [
      ...failures.slice(0, 2).map((block) => block.replace(/\n *ok .*$/, '')),
      `not ok 9 - long\n  ---\n${'  a line\n'.repeat(38)}`,
    ]
      .flatMap((block) => block.trimEnd().split('\n'))
      .map((line) => `| ${line}\n`)
      .join(''),
  )
  t.ok(printed.split('\n').length < 250, 'and not all that follows')
})

t.test('an uncaught error fails the test that runs, unless it listens itself', async (t) => {
  const file = join(folderOf(t), 'uncaught.mjs')
  writeFileSync(
    file,
    `import t from '${import.meta.resolve('tap')}'
const wait = () => new Promise((resolve) => setTimeout(resolve, 50))
t.test('before', (t) => t.end())
t.test('throws', async (t) => {
  await t.test('inner', wait)
  setTimeout(() => { throw new Error('late') })
  await wait()
})
t.test('rejects', (t) => t.test('inner', async () => {
  void Promise.reject(new Error('rejected'))
  await wait()
}))
t.test('listens', async (t) => {
  process.once('uncaughtException', () => t.pass('heard'))
  setTimeout(() => { throw new Error('expected') })
  await wait()
})
t.test('after', (t) => t.end())
`,
  )
  const { stdout } = spawnSync(process.execPath, [`--import=${at('test/support/uncaught_errors.js')}`, file])
  const results = [...String(stdout).matchAll(/^ *(not ok|ok) \d+ - (.*?)(?: # .*)?$/gm)]
  const titles = (wanted: string) => new Set(results.flatMap(([, result, title]) => (result === wanted ? [title] : [])))
  t.strictSame(titles('not ok'), new Set(['late', 'throws', 'rejected', 'inner', 'rejects']))
  t.strictSame(titles('ok'), new Set(['before', 'inner', 'after', 'heard', 'listens']))
})

t.test('what was built is not built again, so that parts beside each other can use it', async (t) => {
  const script = "import { buildAll } from './tools/build.ts'; await buildAll(); console.log(await buildAll())"
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' })
  t.equal(stdout, '[]\n')
})

t.test('a release has the changes of its version, and names what the changelog needs', async (t) => {
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## Unreleased\n\n${unreleased}## 0.1.1 - 2026-12-01\n\n### Fixed\n\n- B\n\n## 0.1.0 - 2026-11-22\n\n- C\n`
  t.strictSame(changesOf(changelog(''), '0.1.1'), { text: '### Fixed\n\n- B', todo: undefined })
  t.strictSame(changesOf(changelog(''), '0.1.0'), { text: '- C', todo: undefined })
  t.strictSame(changesOf(changelog('- A\n\n'), '0.1.1'), {
    text: '- A',
    todo: 'raise the version in package.json and package-lock.json: CHANGELOG.md has 0.1.1 already, and changes after it',
  })
  t.strictSame(changesOf(changelog('- A\n\n'), '0.2.0'), {
    text: '- A',
    todo: 'name the section "Unreleased" of CHANGELOG.md "0.2.0 - DATE"',
  })
})
