import { defineCommand, integer, path, printable } from '../../domains/shared/commands.ts'
import { LANGUAGES } from '../../http/checks.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { queryString } from '../../lib/urls.ts'
import { CliError } from '../errors.ts'
import { styled } from '../output.ts'

export type Explanation = AnswerOf<'GET /requests/{id}/explain'>
type Stream = NodeJS.WriteStream

const MARKS = { passed: '✓', failed: '✗', not_reached: '·' } as const
const STYLES = { passed: 'green', failed: 'red', not_reached: 'dim' } as const

/** Lines for a person; `hasChecks` false: without the checks that passed. */
export function formatExplanation(
  { request, text, checks, rule, assumption, field, fix, no_fix }: Explanation,
  { stream = process.stdout, hasChecks = true }: { stream?: Stream; hasChecks?: boolean } = {},
): string {
  const head = [request.id === null ? '' : `request ${request.id}:`, text].filter(Boolean).join(' ')
  const shown = hasChecks ? checks : []
  return [
    styled('bold', printable(head), stream),
    ...shown.map(
      (check) => `  ${styled(STYLES[check.state], `${MARKS[check.state]} ${printable(check.text)}`, stream)}`,
    ),
    ...(rule ? [part('rule', `${rule.id}, ${rule.page}`, stream), `      ${printable(rule.text)}`] : []),
    ...(assumption ? [part('assumption', `${assumption.name}: ${assumption.value}`, stream)] : []),
    ...(field && field.values.length > 0 ? [part(`values of ${field.name}`, field.values.join(', '), stream)] : []),
    ...(fix ? [part('fix', fix.text, stream), ...requestLines(fix.request)] : []),
    ...(no_fix ? [part('fix', no_fix.text, stream)] : []),
  ].join('\n')
}

const part = (name: string, text: string, stream: Stream): string =>
  `  ${styled('bold', name, stream)}: ${printable(text)}`

const requestLines = ({ method, path, headers, body }: NonNullable<Explanation['fix']>['request']): string[] =>
  [
    `${method} ${path}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === null ? [] : [body]),
  ].map((line) => `      ${printable(line)}`)

interface Listed {
  results: { id: number }[]
}

export const whyCommand = defineCommand<Explanation>({
  name: 'why',
  description: 'Explain why a call was refused, and what would have worked',
  args: [['[request]', 'number of the call; default: the latest that was refused', integer(1)]],
  flags: [{ flags: '--lang <language>', description: 'language of the texts; default: en', choices: LANGUAGES }],
  examples: ['why', 'why 17 --lang es', 'why 17 --json'],
  async run({ client, args: [request], flags: { lang } }) {
    const latest = async (status: string): Promise<number> => {
      const query = queryString({ status, order: 'desc', limit: 1, bodies: false })
      const { results }: Listed = await client.call(`GET /requests${query}`)
      return results[0]?.id ?? 0
    }
    const id = request ?? Math.max(await latest('4xx'), await latest('5xx'))
    if (id === 0) throw new CliError('no recorded call was refused; `mercadito requests` lists the calls')
    return client.call(`${path`GET /requests/${id}/explain`}${queryString({ lang })}`)
  },
  format: (explanation) => formatExplanation(explanation),
})

/** Explained calls of one failed run. */
const MAX_EXPLAINED = 10

/** Explains the latest refused calls of a world; undefined if none was refused. */
export async function explainLatest(
  client: Parameters<typeof whyCommand.run>[0]['client'],
  stream: Stream,
): Promise<string | undefined> {
  const list = async (status: string) => {
    const query = queryString({ status, order: 'desc', limit: MAX_EXPLAINED, bodies: false })
    return (await client.call(`GET /requests${query}`)) as Listed & { paging: { total: number } }
  }
  const refused = await list('4xx')
  const total = refused.paging.total
  if (total === 0) return undefined
  const texts: string[] = []
  for (const { id } of refused.results.reverse())
    texts.push(formatExplanation(await client.call(path`GET /requests/${id}/explain`), { stream, hasChecks: false }))
  const more = total - texts.length
  return [...(more > 0 ? [`${more} earlier refused calls are not explained`] : []), ...texts].join('\n\n')
}
