import { nearest } from '../../http/errors/suggestions.ts'
import { redactTokens } from '../../http/journal/redaction.ts'
import type { Call, MemberSchema } from './call.ts'
import type { Finding } from './finding.ts'

/** Parameters that every call takes; `_` is how libraries for JSONP avoid caches. */
const COMMON_PARAMETERS = ['attributes', 'callback', 'access_token', '_method', '_body', '_']

/** A name that was sent and had no effect. */
interface Ignored {
  call: Call
  place: 'query' | 'body'
  name: string
  /** The name that was probably meant. */
  meant: string | undefined
}

/** The names that accepted calls have sent in vain; nested members are not looked at. */
const ignoredNames = (calls: readonly Call[]): Ignored[] =>
  calls.flatMap((call) => {
    if (!call.isSuccess || call.route === undefined) return []
    const { query, body } = call.schemas
    // The calls of OAuth take the members of their body in the query, too.
    const inQuery = [...namesOf(query), ...(call.route.includes('/oauth/') ? namesOf(body) : [])]
    return [
      ...ignoredAmong(call, 'query', [...call.query.keys()], [...inQuery, ...COMMON_PARAMETERS]),
      ...(body.properties ? ignoredAmong(call, 'body', Object.keys(call.body ?? {}), namesOf(body)) : []),
    ]
  })

const namesOf = ({ properties = {} }: MemberSchema): string[] => Object.keys(properties)

function ignoredAmong(call: Call, place: Ignored['place'], sent: string[], known: string[]): Ignored[] {
  const unsent = known.filter((name) => !sent.includes(name))
  return [...new Set(sent)]
    .filter((name) => !known.includes(name))
    .map((name) => ({ call, place, name, meant: nearest(name.toLowerCase(), unsent) }))
}

const MAX_NAME_CHARACTERS = 60

function describe({ call, place, name, meant }: Ignored): string {
  const shown = redactTokens(name).slice(0, MAX_NAME_CHARACTERS)
  return `${call.route}: ${place} ${shown}${meant === undefined ? '' : ` (${meant}?)`}`
}

const casesOf = (ignored: readonly Ignored[]) =>
  ignored.map((one) => ({ subject: describe(one), requests: [one.call.id] }))

const misspelled: Finding = {
  id: 'parameters.misspelled',
  severity: 'warn',
  text: {
    en: {
      title: 'A parameter or member has a name that is almost right',
      why: 'Unknown names are ignored without an error. A filter with a wrong name filters nothing, so that the answer has more than the program expects.',
      fix: 'Correct the name; the evidence has the one that is probably meant.',
    },
    es: {
      title: 'Un parámetro o miembro tiene un nombre casi correcto',
      why: 'Los nombres desconocidos se ignoran sin error. Un filtro con un nombre equivocado no filtra nada, y la respuesta tiene más de lo que el programa espera.',
      fix: 'Corrige el nombre; la evidencia tiene el que probablemente se quiso usar.',
    },
    pt: {
      title: 'Um parâmetro ou membro tem um nome quase certo',
      why: 'Nomes desconhecidos são ignorados sem erro. Um filtro com nome errado não filtra nada, e a resposta tem mais do que o programa espera.',
      fix: 'Corrija o nome; a evidência tem o que provavelmente se queria usar.',
    },
  },
  find: ({ calls }) => casesOf(ignoredNames(calls).filter(({ meant }) => meant !== undefined)),
}

const unknown: Finding = {
  id: 'parameters.unknown',
  severity: 'info',
  text: {
    en: {
      title: 'A parameter or member was ignored',
      why: 'This server does not know the name. The real service may ignore it, too, or it may have an effect that this server cannot show.',
      fix: 'Leave it out if the documentation of the service does not have it; otherwise test its effect on the real service.',
    },
    es: {
      title: 'Se ignoró un parámetro o miembro',
      why: 'Este servidor no conoce el nombre. El servicio real puede ignorarlo también, o puede tener un efecto que este servidor no muestra.',
      fix: 'Quítalo si la documentación del servicio no lo tiene; si no, prueba su efecto en el servicio real.',
    },
    pt: {
      title: 'Um parâmetro ou membro foi ignorado',
      why: 'Este servidor não conhece o nome. O serviço real também pode ignorá-lo, ou ele pode ter um efeito que este servidor não mostra.',
      fix: 'Retire-o se a documentação do serviço não o tiver; caso contrário, teste o efeito no serviço real.',
    },
  },
  find: ({ calls }) => casesOf(ignoredNames(calls).filter(({ meant }) => meant === undefined)),
}

export const PARAMETERS: readonly Finding[] = [misspelled, unknown]
