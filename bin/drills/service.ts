import { path } from '../../domains/shared/commands.ts'
import { ask, subscribe, untilListening } from './acts.ts'
import { after, atMost, isAnswer, isCall, questionOf, statusOf, succeeded, when } from './calls.ts'
import type { Call, Drill } from './drill.ts'

const isScan = ({ query }: Call) => query.search_type === 'scan' || Boolean(query.scroll_id)
const isClosedSearch = isCall('GET', /^\/sites\/[^/]+\/search$/)
const isMissedFeed = isCall('GET', /^\/(missed_feeds|myfeeds)$/)
const isTooMany = (call: Call) => statusOf(call) === 429

// Drills about what the service answers and sends.
export const SERVICE_DRILLS: Drill[] = [
  {
    name: 'topic-off',
    title: {
      en: 'The topic was switched off after missed notifications: nothing arrives any more',
      es: 'El tópico se apagó tras notificaciones perdidas: ya no llega nada',
      pt: 'O tópico foi desligado após notificações perdidas: nada mais chega',
    },
    async prepare(drill) {
      // Nothing listens there: the only attempt of each fails.
      await subscribe(drill, 'http://127.0.0.1:9/', { attempts_at: [0], off_after: 1 })
      drill.notes.questions = [await ask(drill)]
      await drill.client.call('POST /settle')
      return undefined
    },
    checks: [
      {
        text: {
          en: 'It reads the missed feed',
          es: 'Lee las notificaciones perdidas',
          pt: 'Lê as notificações perdidas',
        },
        passed: (calls) => (calls.length === 0 ? null : calls.some((call) => isMissedFeed(call) && succeeded(call))),
      },
      {
        text: {
          en: 'It reads each resource that it missed',
          es: 'Lee cada recurso que se perdió',
          pt: 'Lê cada recurso que perdeu',
        },
        passed: (calls, { questions }) =>
          calls.length === 0
            ? null
            : (questions as number[]).every((id) => calls.some(isCall('GET', new RegExp(`^/questions/${id}$`)))),
      },
    ],
  },
  {
    name: 'too-many-calls',
    title: {
      en: 'Calls are refused with 429 local_rate_limited, without headers that say how long to wait',
      es: 'Las llamadas se rechazan con 429 local_rate_limited, sin encabezados que digan cuánto esperar',
      pt: 'As chamadas são recusadas com 429 local_rate_limited, sem cabeçalhos que digam quanto esperar',
    },
    async prepare(drill) {
      const body = { message: 'local_rate_limited', error: 'local_rate_limited', status: 429, cause: [] }
      await drill.client.call('POST /faults', { match: {}, action: { status: 429, body }, times: 3 })
      return undefined
    },
    checks: [
      {
        text: {
          en: 'It waits at least half a second before it calls again',
          es: 'Espera al menos medio segundo antes de volver a llamar',
          pt: 'Espera pelo menos meio segundo antes de chamar de novo',
        },
        passed: when(isTooMany, (_, calls) => pausesAfterRefusals(calls).every((ms) => ms >= 500)),
      },
      {
        text: {
          en: 'It waits longer each time',
          es: 'Espera más cada vez',
          pt: 'Espera mais a cada vez',
        },
        passed: when(isTooMany, (_, calls) => {
          const pauses = pausesAfterRefusals(calls)
          return pauses.length > 0 && pauses.every((ms, n) => n === 0 || ms > pauses[n - 1]!)
        }),
      },
      {
        text: {
          en: 'It ends what it had begun',
          es: 'Termina lo que había empezado',
          pt: 'Termina o que tinha começado',
        },
        passed: when(isTooMany, (_, calls) => calls.some(succeeded)),
      },
    ],
  },
  {
    name: 'expired-scroll',
    title: {
      en: 'A scroll_id expires in the middle of a scan',
      es: 'Un scroll_id vence en medio de un recorrido',
      pt: 'Um scroll_id expira no meio de uma varredura',
    },
    async act(drill) {
      for (let last = 0; ; ) {
        const isNew = (one: Call) => one.id > last && isScan(one)
        const call = await drill.next((one) => isNew(one) && (succeeded(one) || isExpiredScroll(one)))
        if (!call || isExpiredScroll(call)) return
        await drill.client.call('POST /clock/advance', { by: 'PT6M' })
        // A call during which the clock moved has got a scroll_id of the new time.
        const calls = await drill.calls()
        if (calls.some(isExpiredScroll)) return
        last = calls.at(-1)!.id
      }
    },
    checks: [
      atMost(
        1,
        {
          en: 'It does not send the expired scroll_id again',
          es: 'No envía otra vez el scroll_id vencido',
          pt: 'Não envia o scroll_id expirado outra vez',
        },
        isExpiredScroll,
      ),
      {
        text: {
          en: 'It begins the scan again',
          es: 'Empieza el recorrido de nuevo',
          pt: 'Começa a varredura de novo',
        },
        passed: when(isExpiredScroll, (found, calls) =>
          calls.filter(after(found[0]!)).some((call) => isScan(call) && !call.query.scroll_id && succeeded(call)),
        ),
      },
    ],
  },
  {
    name: 'closed-search',
    title: {
      en: 'The public search of a site answers 403 to everyone',
      es: 'La búsqueda pública de un sitio responde 403 a todos',
      pt: 'A busca pública de um site responde 403 a todos',
    },
    checks: [
      atMost(
        1,
        {
          en: 'It asks once, and not again with another token or without one',
          es: 'Pregunta una vez, y no de nuevo con otro token o sin él',
          pt: 'Pergunta uma vez, e não de novo com outro token ou sem ele',
        },
        isClosedSearch,
      ),
      {
        text: {
          en: 'It goes on without the search, for example with the listings of its seller',
          es: 'Sigue sin la búsqueda, por ejemplo con las publicaciones de su vendedor',
          pt: 'Continua sem a busca, por exemplo com os anúncios do seu vendedor',
        },
        passed: when(isClosedSearch, (found, calls) => calls.filter(after(found[0]!)).some(succeeded)),
      },
    ],
  },
  {
    name: 'duplicates',
    title: {
      en: 'A notification arrives twice, and one arrives when the question has been answered',
      es: 'Una notificación llega dos veces, y otra llega cuando la pregunta ya tiene respuesta',
      pt: 'Uma notificação chega duas vezes, e outra chega quando a pergunta já tem resposta',
    },
    needsCallback: true,
    async act(drill) {
      if (!(await untilListening(drill))) return
      await subscribe(drill, drill.callback!)
      const twice = await ask(drill)
      if (!(await drill.next((call) => isAnswer(call) && questionOf(call) === twice))) return
      await drill.client.call('POST /settle')
      const [delivery] = (await drill.client.get('/deliveries', { resource: `/questions/${twice}` })).results
      await drill.client.call(path`POST /deliveries/${delivery.id}/resend`)
      const late = await ask(drill, { text: 'Sí.' })
      Object.assign(drill.notes, { twice, late })
      await drill.next(isCall('GET', new RegExp(`^/questions/${late}$`)))
    },
    checks: [
      {
        text: {
          en: 'It answers the question of two notifications once',
          es: 'Responde una vez la pregunta de dos notificaciones',
          pt: 'Responde uma vez a pergunta de duas notificações',
        },
        passed: (calls, { twice }) =>
          twice === undefined
            ? null
            : calls.filter((call) => isAnswer(call) && questionOf(call) === twice).length === 1,
      },
      {
        text: {
          en: 'It reads the question before it answers, and leaves one that has an answer',
          es: 'Lee la pregunta antes de responder, y deja la que ya tiene respuesta',
          pt: 'Lê a pergunta antes de responder, e deixa a que já tem resposta',
        },
        passed: (calls, { late }) =>
          late === undefined ? null : !calls.some((call) => isAnswer(call) && questionOf(call) === late),
      },
    ],
  },
]

function isExpiredScroll(call: Call): boolean {
  return isScan(call) && Boolean(call.query.scroll_id) && statusOf(call) === 400
}

/** Real ms from each refused call to the next one; calls that are refused together count as one. */
const pausesAfterRefusals = (calls: Call[]): number[] =>
  calls.flatMap((call, n) => {
    const next = calls[n + 1]
    if (!next || !isTooMany(call)) return []
    const ms = Date.parse(next.at) - Date.parse(call.at)
    return isTooMany(next) && ms < TOGETHER_MS ? [] : [ms]
  })
const TOGETHER_MS = 100
