import { readFileSync } from 'node:fs'
import t from 'tap'
import { blocksOf, commandsOf } from '../tools/docs/markdown.ts'
import { at } from '../tools/root.ts'

t.test('the commands of YAML blocks are found', (t) => {
  const github =
    '      - run: npm ci\n      - uses: actions/checkout@v5\n        with: { run: { a: 1 } }\n      - run: |\n          one\n          two\n'
  t.strictSame(commandsOf({ lang: 'yaml', text: github }), ['npm ci', 'one', 'two'])
  const gitlab = 'audit:\n  script:\n    - one\n    - two\n  artifacts: { when: always }\n'
  t.strictSame(commandsOf({ lang: 'yaml', text: gitlab }), ['one', 'two'])
  t.strictSame(commandsOf({ lang: 'yaml', text: 'a: { b: [1] }\n' }), [])
  t.strictSame(commandsOf({ lang: 'sh', text: 'one\ntwo\n' }), ['one', 'two'])
  t.strictSame(commandsOf({ lang: 'json', text: '{"run":"one"}' }), [])
  const guide = blocksOf(readFileSync(at('docs/guides/ci.md'), 'utf8'))
  t.equal(guide.filter(({ lang }) => lang === 'yaml').flatMap(commandsOf).length, 4)
  t.end()
})
