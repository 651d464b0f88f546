import { type Output, printable, table } from '../../domains/shared/commands.ts'
import type { Schemas } from '../../lib/operations.ts'

export type Coverage = Schemas['Coverage']
type Operation = Coverage['operations'][number]

/** The used operations and the situations; the other operations as well if `isWhole`. */
export function formatCoverage(coverage: Coverage, isWhole = false): Output {
  const { operations, situations } = coverage
  const listed = isWhole ? operations : operations.filter(({ calls }) => calls > 0)
  return [
    ...(listed.length > 0 ? [table(['OPERATION', 'CALLS', 'ANSWERS'], listed.map(operationRow)), ''] : []),
    ...(situations.length > 0 ? [table(['SITUATION', 'MET', 'HOW'], situations.map(situationRow)), ''] : []),
    summarizeCoverage(coverage),
  ]
}

/** `5 of 61 operations used, 1 of them without state, 3 of 9 situations met, 1 call of no operation`. */
export function summarizeCoverage({ operations, situations, other }: Coverage): string {
  const used = operations.filter(({ calls }) => calls > 0).length
  const met = situations.filter(({ count }) => count > 0).length
  const others = other === 0 ? '' : `, ${other} ${other === 1 ? 'call' : 'calls'} of no operation`
  const typed = operations.filter((one) => one.typed).length
  const without = typed === 0 ? '' : `, ${typed} of them without state`
  return `${used} of ${operations.length} operations used${without}, ${met} of ${situations.length} situations met${others}`
}

const operationRow = ({ call, calls, answers, typed }: Operation) => [
  ...[call, calls, answers.map(describeAnswer).join(', ')],
  ...(typed ? ['no state'] : []),
]

/** `200 × 12`, `401 http.token.invalid × 2`. */
const describeAnswer = ({ status, rule, count }: Operation['answers'][number]): string =>
  [status ?? 'no answer', rule, '×', count].filter((part) => part !== null).join(' ')

const situationRow = ({ title, count, how }: Coverage['situations'][number]) => [
  printable(title),
  count === 0 ? 'no' : count,
  count === 0 ? printable(how).replaceAll('`', '') : '',
]
