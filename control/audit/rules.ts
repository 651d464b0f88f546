import type { CountedRule } from '../../http/faults/rules.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { Finding } from './finding.ts'

/** Whether a rule was meant to make calls fail and has not; what chance or a limit decides may rightly be 0. */
const isIdle = ({ action, probability, matched, applied, enabled }: CountedRule): boolean =>
  enabled &&
  applied === 0 &&
  !('limits' in action) &&
  (matched === 0 || (probability === 1 && !('rate_limit' in action)))

const describe = ({ id, method, path }: CountedRule): string =>
  `fault ${id}: ${method ?? 'ANY'} ${redactTokens(path ?? '*')}`

const neverApplied: Finding = {
  id: 'faults.never_applied',
  severity: 'info',
  text: {
    en: {
      title: 'A fault rule was never applied',
      why: 'No call had the method, path and user of the rule, or an earlier rule took them: the program was not tested with this failure.',
      fix: 'Compare the rule with the calls in the journal, or delete it.',
    },
    es: {
      title: 'Una regla de fallos nunca se aplicó',
      why: 'Ninguna llamada tuvo el método, la ruta y el usuario de la regla, o una regla anterior las tomó: el programa no se probó con este fallo.',
      fix: 'Compara la regla con las llamadas del registro, o bórrala.',
    },
    pt: {
      title: 'Uma regra de falhas nunca foi aplicada',
      why: 'Nenhuma chamada teve o método, o caminho e o usuário da regra, ou uma regra anterior as pegou: o programa não foi testado com esta falha.',
      fix: 'Compare a regra com as chamadas do registro, ou apague-a.',
    },
  },
  find: ({ calls, rules }) =>
    calls.length === 0 ? [] : rules.filter(isIdle).map((rule) => ({ subject: describe(rule), requests: [] })),
}

export const RULES = [neverApplied]
