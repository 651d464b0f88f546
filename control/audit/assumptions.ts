import { ASSUMPTIONS } from '../../domains/assumptions.ts'
import type { AssumedUse } from '../../http/assumptions.ts'
import { matchesPattern } from '../../http/patterns.ts'
import type { Call } from './call.ts'
import type { Finding } from './finding.ts'
import type { View } from './view.ts'

/** The first call of a scan may have an empty one: working clients send it so. */
const MAY_BE_EMPTY = 'scroll_id'

/** Whether a call rests on an assumption in a certain way. */
function isUse({ route, sends, value, omits = [], isAnonymous }: AssumedUse, call: Call): boolean {
  if (!call.isSuccess || call.route === undefined) return false
  if (route !== undefined && !matchesPattern(route, call.route)) return false
  if (isAnonymous && call.entry.user_id !== null) return false
  if (omits.some((name) => call.parameter(name) !== undefined)) return false
  if (!sends && !value) return true
  const names = sends ?? Object.keys(call.schemas.query.properties ?? {}).filter((name) => name !== MAY_BE_EMPTY)
  return names.some((name) => call.query.getAll(name).some((sent) => (value ?? /./).test(sent)))
}

/** The assumptions that calls rest on, with these calls. */
export const assumptionsOf = ({ calls }: Pick<View, 'calls'>): [name: string, calls: Call[]][] =>
  Object.entries(ASSUMPTIONS).flatMap(([name, { uses = [] }]) => {
    const found = calls.filter((call) => uses.some((use) => isUse(use, call)))
    return found.length === 0 ? [] : [[name, found]]
  })

const assumed: Finding = {
  id: 'assumptions.used',
  severity: 'info',
  text: {
    en: {
      title: 'A call rests on an assumption',
      why: 'No public source says how the real service answers such a call. This server has assumed it, and the real one may differ.',
      fix: 'Send what the assumption is about, such as a date with an offset or a token, or test the call on the real service. The assumptions of this server and their alternatives: `GET /_sandbox/assumptions`.',
    },
    es: {
      title: 'Una llamada se apoya en un supuesto',
      why: 'Ninguna fuente pública dice cómo responde el servicio real a esa llamada. Este servidor lo supuso, y el real puede ser distinto.',
      fix: 'Envía aquello de lo que trata el supuesto, como una fecha con zona horaria o un token, o prueba la llamada en el servicio real. Los supuestos de este servidor y sus alternativas: `GET /_sandbox/assumptions`.',
    },
    pt: {
      title: 'Uma chamada se apoia em uma suposição',
      why: 'Nenhuma fonte pública diz como o serviço real responde a essa chamada. Este servidor supôs, e o real pode ser diferente.',
      fix: 'Envie aquilo de que trata a suposição, como uma data com fuso horário ou um token, ou teste a chamada no serviço real. As suposições deste servidor e suas alternativas: `GET /_sandbox/assumptions`.',
    },
  },
  find: (view) =>
    assumptionsOf(view).flatMap(([name, calls]) => {
      const { value } = ASSUMPTIONS[name]!
      const current = typeof value === 'string' ? '' : `=${value.of(view.switches)}`
      return calls.map((call) => ({ subject: `${name}${current}: ${call.route}`, requests: [call.id] }))
    }),
}

export const ASSUMED: readonly Finding[] = [assumed]
