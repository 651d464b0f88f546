import { realNow } from '../../db/clock.ts'
import { path } from '../../domains/shared/commands.ts'
import { ask, seller, untilItWorks } from './acts.ts'
import {
  after,
  atMost,
  errorOf,
  isAnswer,
  isCall,
  isRefresh,
  isUnauthorized,
  meets,
  questionOf,
  when,
} from './calls.ts'
import type { Call, Drill } from './drill.ts'

const isInvalidGrant = (call: Call) => isRefresh(call) && errorOf(call) === 'invalid_grant'

// Drills about tokens, applications and the users who authorize them.
export const ACCESS_DRILLS: Drill[] = [
  {
    name: 'refresh-race',
    title: {
      en: 'The access token has expired, and the refresh token works once',
      es: 'El access token venció, y el refresh token sirve una vez',
      pt: 'O access token venceu, e o refresh token serve uma vez',
    },
    async prepare(drill) {
      const user_id = seller(drill).id
      const { token, refresh_token } = await drill.client.call('POST /tokens', {
        user_id,
        expires_in: 0,
        refresh: true,
      })
      return { MERCADITO_TOKEN: token, MERCADITO_REFRESH_TOKEN: refresh_token }
    },
    checks: [
      meets(
        {
          en: 'It exchanges the refresh token',
          es: 'Canjea el refresh token',
          pt: 'Troca o refresh token',
        },
        isRefresh,
      ),
      {
        text: {
          en: 'It sends no refresh token twice: calls that wait for a new token share one exchange',
          es: 'No envía dos veces un refresh token: las llamadas que esperan un token nuevo comparten un canje',
          pt: 'Não envia um refresh token duas vezes: as chamadas que esperam um token novo compartilham uma troca',
        },
        passed: when(isRefresh, (found) => !found.some(isInvalidGrant)),
      },
      {
        text: {
          en: 'It goes on with the new token',
          es: 'Sigue con el token nuevo',
          pt: 'Continua com o token novo',
        },
        passed: when(isRefresh, (found, calls) =>
          calls.filter(after(found[0]!)).some(({ user_id }) => user_id !== null),
        ),
      },
    ],
  },
  {
    name: 'changed-password',
    title: {
      en: 'The seller changes the password: all tokens of the grant end',
      es: 'El vendedor cambia su contraseña: terminan todos los tokens de la autorización',
      pt: 'O vendedor muda a senha: todos os tokens da autorização terminam',
    },
    async prepare(drill) {
      const { refresh_token } = await drill.client.call('POST /tokens', { user_id: seller(drill).id, refresh: true })
      return { MERCADITO_REFRESH_TOKEN: refresh_token }
    },
    async act(drill) {
      if (!(await untilItWorks(drill))) return
      await drill.mark()
      await drill.client.call(path`PATCH /users/${seller(drill).id}`, { password: 'otra-clave' })
    },
    checks: [
      atMost(
        3,
        {
          en: 'It stops calling with the dead token after three calls at most',
          es: 'Deja de llamar con el token muerto tras tres llamadas como máximo',
          pt: 'Para de chamar com o token morto após no máximo três chamadas',
        },
        isUnauthorized,
      ),
      {
        text: {
          en: 'It tries the refresh token at most once, then asks for a new authorization',
          es: 'Prueba el refresh token una vez como máximo, y luego pide una autorización nueva',
          pt: 'Tenta o refresh token no máximo uma vez, e então pede uma nova autorização',
        },
        passed: when(isUnauthorized, (_, calls) => calls.filter(isInvalidGrant).length <= 1),
      },
    ],
  },
  {
    name: 'blocked-application',
    title: {
      en: 'The application is blocked: every call is refused with unauthorized_scopes',
      es: 'La aplicación está bloqueada: toda llamada se rechaza con unauthorized_scopes',
      pt: 'A aplicação está bloqueada: toda chamada é recusada com unauthorized_scopes',
    },
    async act(drill) {
      if (!(await untilItWorks(drill))) return
      await drill.mark()
      await drill.client.call(path`PATCH /applications/${drill.world.application.id}`, { blocked: true })
    },
    checks: [
      atMost(
        3,
        {
          en: 'It stops after three refused calls at most',
          es: 'Se detiene tras tres llamadas rechazadas como máximo',
          pt: 'Para após no máximo três chamadas recusadas',
        },
        isUnauthorized,
      ),
      {
        text: {
          en: 'It does not try to refresh: the tokens are not the problem',
          es: 'No intenta renovar: los tokens no son el problema',
          pt: 'Não tenta renovar: os tokens não são o problema',
        },
        passed: when(isUnauthorized, (_, calls) => !calls.some(isRefresh)),
      },
    ],
  },
  {
    name: 'operator',
    title: {
      en: 'An operator of the account tries to authorize the application',
      es: 'Un operador de la cuenta intenta autorizar la aplicación',
      pt: 'Um operador da conta tenta autorizar a aplicação',
    },
    async prepare(drill) {
      await drill.client.call(path`PATCH /users/${seller(drill).id}`, { operator: true })
    },
    checks: [
      atMost(
        1,
        {
          en: 'It does not send the same operator again',
          es: 'No envía otra vez al mismo operador',
          pt: 'Não envia o mesmo operador outra vez',
        },
        (call) => errorOf(call) === 'invalid_operator_user_id',
      ),
      {
        text: {
          en: 'It exchanges no code, because there is none',
          es: 'No canjea ningún código, porque no lo hay',
          pt: 'Não troca nenhum código, porque não há',
        },
        passed: when(
          (call) => errorOf(call) === 'invalid_operator_user_id',
          (_, calls) => !calls.some(isCall('POST', /^\/oauth\/token$/)),
        ),
      },
    ],
  },
  {
    name: 'clock-ahead',
    title: {
      en: 'The clock of the program is two hours ahead of the service',
      es: 'El reloj del programa está dos horas adelantado respecto del servicio',
      pt: 'O relógio do programa está duas horas adiantado em relação ao serviço',
    },
    async prepare(drill) {
      const { now } = await drill.client.call('GET /clock')
      const to = new Date(Math.min(Date.parse(now), realNow() - 2 * 3_600_000)).toISOString()
      await drill.client.call('PUT /clock', { mode: 'shifted', now: to })
      return undefined
    },
    async act(drill) {
      if (!(await untilItWorks(drill))) return
      await drill.mark()
      drill.notes.question = await ask(drill)
    },
    checks: [
      {
        text: {
          en: 'It finds a question that is asked while it runs',
          es: 'Encuentra una pregunta que se hace mientras corre',
          pt: 'Encontra uma pergunta que é feita enquanto roda',
        },
        passed: (calls, { question }) =>
          question === undefined || calls.length === 0
            ? null
            : calls.some(
                (call) =>
                  (isAnswer(call) && questionOf(call) === question) ||
                  isCall('GET', new RegExp(`^/questions/${question}$`))(call),
              ),
      },
      {
        text: {
          en: 'It does not renew a token that is still valid',
          es: 'No renueva un token que todavía es válido',
          pt: 'Não renova um token que ainda é válido',
        },
        passed: (calls) => (calls.length === 0 ? null : !calls.some(isRefresh)),
      },
    ],
  },
]
