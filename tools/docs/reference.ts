import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainEnvironment, run } from '../run.ts'
import type { Report } from './report.ts'

/** Flags of every command that calls a server; the page names them once. */
const COMMON = new Set(['--url', '--admin-token', '--admin-token-file', '--ca', '--json', '--help', '--version'])
/** Commands whose flags are the settings of the server, which have a page of their own. */
const CONFIGURED = new Set(['start', 'status settings'])

interface Setting {
  setting: string
  environment: string
}
interface Assumption {
  name: string
  source: string
  value: string
  alternatives: string[]
}

/** Compares the reference with the program. `url`: a running server. */
export async function checkReference(root: string, url: string, { check }: Report): Promise<void> {
  const read = (name: string) => readFileSync(join(root, 'docs/reference', name), 'utf8')
  const printed = (argv: string[]) =>
    run(process.execPath, [join(root, 'dist/mercadito.js'), ...argv], { env: plainEnvironment() })
  const missing = (names: string[]) => {
    if (names.length > 0) throw new Error(`missing: ${names.join(', ')}`)
  }

  await check('docs/reference/cli.md names every command with its flags', async () => {
    const rows = read('cli.md').split('\n')
    const { script } = JSON.parse(printed(['status', 'completion', 'bash', '--json']))
    const places = [...script.matchAll(/^ {4}'([^']+)'\) found='([^']*)' ;;$/gm)] as [string, string, string][]
    missing(
      places.flatMap(([, command, words]) => {
        // The parent of two-word commands has no row of its own.
        if (places.some(([, other]) => other.startsWith(`${command} `))) return []
        const row = rows.find((line) => new RegExp(`^\\| \`${command}[ \`]`).test(line))
        if (row === undefined) return [command]
        const flags = words.split(' ').filter((word) => word.startsWith('--') && !COMMON.has(word))
        if (command === 'status settings') return row.includes('--explain') ? [] : ['status settings --explain']
        return CONFIGURED.has(command) ? [] : flags.filter((flag) => !row.includes(flag)).map((f) => `${command} ${f}`)
      }),
    )
  })

  await check('docs/reference/configuration.md names every setting and its environment variable', async () => {
    const text = read('configuration.md')
    const settings: Setting[] = JSON.parse(printed(['status', 'settings', '--explain', '--json']))
    missing(
      settings.flatMap(({ setting, environment }) =>
        new RegExp(`^\\| \`--${setting}[ \`].*\`${environment}\``, 'm').test(text) ? [] : [`--${setting}`],
      ),
    )
  })

  await check('docs/reference/control-plane.md names every control call, and no unknown one', () => {
    const { paths } = JSON.parse(readFileSync(join(root, 'openapi.sandbox.json'), 'utf8'))
    const calls = Object.entries<object>(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const named = [...read('control-plane.md').matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)].map(([, call]) => call!)
    missing(calls.filter((call) => !named.includes(call)))
    const unknown = named.filter((call) => !calls.includes(call))
    if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`)
  })

  await check('docs/reference/behaviour.md has every assumption with its source and its alternatives', async () => {
    const rows = new Map(
      [...read('behaviour.md').matchAll(/^\| `([a-z_.]+)` \| (.+) \|$/gm)].map(([, name, cells]) => [
        name!,
        cells!.split(' | ').map((cell) => cell.replaceAll('`', '')),
      ]),
    )
    const answer = await fetch(`${url}/_sandbox/assumptions`)
    const { results } = (await answer.json()) as { results: Assumption[] }
    missing(
      results.flatMap(({ name, source, value, alternatives }) => {
        const [, written, listed, from] = rows.get(name) ?? []
        if (from !== source) return [name]
        if (alternatives.length === 0) return listed === '–' ? [] : [`${name} is fixed`]
        const [first, last] = [alternatives[0]!, alternatives.at(-1)!]
        return written === value && listed!.includes(first) && listed!.includes(last) ? [] : [`${name} ${value}`]
      }),
    )
    if (rows.size !== results.length) throw new Error(`${rows.size} rows for ${results.length} assumptions`)
  })
}
