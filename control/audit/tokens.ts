import { isObject, parseJson } from '../../http/bodies.ts'
import type { RuleId } from '../../http/rules.ts'
import { type Call, nameOf } from './call.ts'
import { type Case, callsThat, type Finding } from './finding.ts'

const inQuery: Finding = {
  id: 'tokens.in_query',
  severity: 'warn',
  text: {
    en: {
      title: 'A token was sent in the address',
      why: 'Addresses are written to the logs of servers and proxies, and to the history of browsers. With a token anyone can act for the seller.',
      fix: 'Send `Authorization: Bearer` and the token, and no `access_token` in the query. The switch `auth.query_token=reject` finds the calls that remain.',
    },
    es: {
      title: 'Se envió un token en la dirección',
      why: 'Las direcciones quedan en los registros de servidores y proxies, y en el historial de los navegadores. Quien las lee puede actuar por el vendedor.',
      fix: 'Envía `Authorization: Bearer` y el token, sin `access_token` en la consulta. El ajuste `auth.query_token=reject` encuentra las llamadas que quedan.',
    },
    pt: {
      title: 'Um token foi enviado no endereço',
      why: 'Os endereços ficam nos registros de servidores e proxies e no histórico dos navegadores. Quem os lê pode agir pelo vendedor.',
      fix: 'Envie `Authorization: Bearer` e o token, sem `access_token` na consulta. A opção `auth.query_token=reject` encontra as chamadas que restam.',
    },
  },
  find: callsThat((call) => call.parameter('access_token') !== undefined),
}

/** Rules by which data of another user are refused. */
const FOREIGN = new Set<RuleId | undefined>([
  'http.errors.foreign_data',
  'items.search',
  'questions.search.rights',
  'questions.foreign',
  'questions.hidden.rights',
  'questions.blacklist.rights',
  'response_time.foreign',
  'contacts.owner_only',
  'flex.rights',
  'credits.seller_id',
  'notifications.missed.rights',
])

const foreign: Finding = {
  id: 'tokens.foreign',
  severity: 'error',
  text: {
    en: {
      title: 'Data of a seller were requested with the token of another',
      why: 'The call was refused because of whose token it had. A program for several sellers that confuses them may also change the data of the wrong one.',
      fix: 'Keep the token together with the id of its user (`user_id` of `POST /oauth/token`), and select both by the seller that the work is for.',
    },
    es: {
      title: 'Se pidieron datos de un vendedor con el token de otro',
      why: 'La llamada se rechazó por el dueño del token. Un programa para varios vendedores que los confunde también puede cambiar datos del vendedor equivocado.',
      fix: 'Guarda el token junto con el id de su usuario (`user_id` de `POST /oauth/token`) y elige ambos según el vendedor para el que trabajas.',
    },
    pt: {
      title: 'Dados de um vendedor foram consultados com o token de outro',
      why: 'A chamada foi recusada por causa do dono do token. Um programa para vários vendedores que os confunde também pode mudar dados do vendedor errado.',
      fix: 'Guarde o token junto com o id do seu usuário (`user_id` de `POST /oauth/token`) e escolha ambos pelo vendedor para quem trabalha.',
    },
  },
  find: callsThat((call) => FOREIGN.has(call.entry.violation?.rule) && !isSellerMissing(call)),
}

/** A missing `seller_id` is refused in the same way as that of another seller [spec: credits.seller_id]. */
const isSellerMissing = (call: Call): boolean =>
  call.entry.violation?.rule === 'credits.seller_id' && call.parameter('seller_id') === undefined

/** A pair of tokens that a call brought. */
interface Issued {
  call: Call
  lifetimeMs: number
}

/** A refresh, with the answer that had brought its refresh token. */
interface Refresh {
  call: Call
  /** Undefined if it is not recorded. */
  issued: Issued | undefined
  /** An earlier use of the same refresh token that was answered with tokens. */
  earlier: Call | undefined
}

function readRefreshes(calls: readonly Call[]): Refresh[] {
  const issuedBy = new Map<string, Issued>()
  const used = new Map<string, Call>()
  return calls
    .filter(({ route }) => route === 'POST /oauth/token')
    .flatMap((call) => {
      const token = grantParameters(call).refresh_token
      const refresh = token === undefined ? [] : [{ call, issued: issuedBy.get(token), earlier: used.get(token) }]
      if (call.isSuccess && isObject(call.answer)) {
        const { refresh_token, expires_in } = call.answer
        issuedBy.set(String(refresh_token), { call, lifetimeMs: Number(expires_in) * 1000 })
        if (token !== undefined) used.set(token, call)
      }
      return refresh
    })
}

/** The parameters of a grant, in the query, a form or JSON. */
function grantParameters({ query, body, entry }: Call): Record<string, string | undefined> {
  const text = entry.body?.isComplete ? entry.body.text : ''
  const members = body ?? ('value' in parseJson(text) ? {} : Object.fromEntries(new URLSearchParams(text)))
  return { ...Object.fromEntries(query), ...(members as Record<string, string>) }
}

const refreshReused: Finding = {
  id: 'tokens.refresh_reused',
  severity: 'error',
  text: {
    en: {
      title: 'A refresh token was used twice',
      why: 'A refresh token works once. A program that does not keep the new one loses access to the seller, who must authorize it again.',
      fix: 'Store the `refresh_token` of each answer before the tokens are used. Let only one process or thread refresh at a time.',
    },
    es: {
      title: 'Un refresh token se usó dos veces',
      why: 'Un refresh token sirve una sola vez. Un programa que no guarda el nuevo pierde el acceso al vendedor, que debe autorizarlo otra vez.',
      fix: 'Guarda el `refresh_token` de cada respuesta antes de usar los tokens. Deja que un solo proceso o hilo lo renueve a la vez.',
    },
    pt: {
      title: 'Um refresh token foi usado duas vezes',
      why: 'Um refresh token funciona uma só vez. Um programa que não guarda o novo perde o acesso ao vendedor, que precisa autorizá-lo de novo.',
      fix: 'Guarde o `refresh_token` de cada resposta antes de usar os tokens. Deixe um só processo ou thread renovar por vez.',
    },
  },
  find: ({ calls }) =>
    readRefreshes(calls).flatMap(({ call, earlier }) =>
      earlier && earlier.state === call.state && call.entry.violation?.rule === 'oauth.grant_expired'
        ? { subject: nameOf(call), requests: [earlier.id, call.id] }
        : [],
    ),
}

/** Tests of the refresh itself make some. */
const MIN_EARLY = 3

const refreshedEarly: Finding = {
  id: 'tokens.refreshed_early',
  severity: 'warn',
  text: {
    en: {
      title: 'Tokens were refreshed long before they expire',
      why: 'An access token lives six hours. Each refresh ends the refresh token before it: refreshing before each call or at each start is slow, and loses the tokens when two processes do it at once.',
      fix: 'Store the access token with `expires_in`, and refresh shortly before it ends, or when a call is answered with 401.',
    },
    es: {
      title: 'Los tokens se renovaron mucho antes de vencer',
      why: 'Un access token vive seis horas. Cada renovación anula el refresh token anterior: renovar antes de cada llamada o en cada inicio es lento y pierde los tokens si dos procesos lo hacen a la vez.',
      fix: 'Guarda el access token con `expires_in` y renuévalo poco antes de que venza, o cuando una llamada reciba 401.',
    },
    pt: {
      title: 'Os tokens foram renovados muito antes de vencer',
      why: 'Um access token vive seis horas. Cada renovação anula o refresh token anterior: renovar antes de cada chamada ou a cada início é lento e perde os tokens quando dois processos o fazem ao mesmo tempo.',
      fix: 'Guarde o access token com `expires_in` e renove pouco antes de vencer, ou quando uma chamada receber 401.',
    },
  },
  find({ calls }) {
    const early = readRefreshes(calls).flatMap(({ call, issued }) =>
      issued && isEarly(call, issued, calls) ? { call, issued } : [],
    )
    const byUser = Map.groupBy(early, ({ call }) => String(isObject(call.answer) ? call.answer.user_id : ''))
    return [...byUser.values()]
      .filter(({ length }) => length >= MIN_EARLY)
      .flat()
      .map(({ call, issued }): Case => ({ subject: nameOf(call), requests: [issued.call.id, call.id] }))
  },
}

/** Less than half of the lifetime has passed, and no token was rejected since. */
function isEarly(call: Call, { call: issue, lifetimeMs }: Issued, calls: readonly Call[]): boolean {
  const elapsed = call.entry.world_time - issue.entry.world_time
  const isRejected = ({ id, entry }: Call) => id > issue.id && id < call.id && entry.status === 401
  const isInTime = elapsed >= 0 && elapsed < lifetimeMs / 2
  return call.isSuccess && call.state === issue.state && isInTime && !calls.some(isRejected)
}

export const TOKENS: readonly Finding[] = [inQuery, foreign, refreshReused, refreshedEarly]
