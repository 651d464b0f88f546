import { defineCommand, integer, path, printable } from '../../domains/shared/commands.ts'
import { LANGUAGES } from '../../http/errors/checks.ts'
import { latestRefused } from '../../lib/cli/latest_refused.ts'
import type { AnswerOf } from '../../lib/types.ts'
import { queryString } from '../../lib/urls.ts'
import { styled } from '../output.ts'
import { nameOf } from '../reports/audit.ts'

type Explanation = AnswerOf<'GET /requests/{id}/explain'>
type Stream = NodeJS.WriteStream

const MARKS = { passed: '✓', failed: '✗', not_reached: '·' } as const
const STYLES = { passed: 'green', failed: 'red', not_reached: 'dim' } as const

/** Lines for a person; `hasChecks` false: without the checks that passed. */
function formatExplanation(
  { request, text, checks, rule, assumption, field, fix, no_fix }: Explanation,
  {
    stream = process.stdout,
    hasChecks = true,
    place = '',
  }: { stream?: Stream; hasChecks?: boolean; place?: string } = {},
): string {
  const head = [request.id === null ? '' : `${place}request ${request.id}:`, text].filter(Boolean).join(' ')
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

export const whyCommand = defineCommand<Explanation>({
  name: 'why',
  description: 'Explain why a call was refused, and what would have worked',
  args: [['[request]', 'number of the call; default: the latest that was refused', integer(1)]],
  flags: [{ flags: '--lang <language>', description: 'language of the texts; default: en', choices: LANGUAGES }],
  examples: ['why', 'why 17 --lang es', 'why 17 --json'],
  async run({ client, args: [request], flags: { lang } }) {
    const id = request ?? (await latestRefused(client, '`mercadito requests` lists the calls'))
    return client.call(`${path`GET /requests/${id}/explain`}${queryString({ lang })}`)
  },
  format: (explanation) => formatExplanation(explanation),
})

/** Explains the latest refused calls of a run, which was begun in the world `root`; undefined if none was refused. */
export function formatRefused(
  { refused, explanations }: AnswerOf<'GET /run'>,
  { root, stream }: { root: number; stream: Stream },
): string | undefined {
  if (refused === 0) return undefined
  const texts = explanations.map(({ world, explanation }) => {
    const place = world.id === root ? '' : `${printable(nameOf(world))}, `
    return formatExplanation(explanation, { stream, hasChecks: false, place })
  })
  const more = refused - texts.length
  return [...(more > 0 ? [`${more} earlier refused calls are not explained`] : []), ...texts].join('\n\n')
}
