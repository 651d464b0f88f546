import { type Call, gapBetween, isClientError, nameOf } from './call.ts'
import type { Finding } from './finding.ts'
import { type Topic, topicOfRoute } from './topics.ts'
import type { View } from './view.ts'

/**
 * The same request, sent again by the same caller with no other call between, each after the answer to the one before.
 * A change by the operator ends a run: another test may begin.
 */
export function runsOf({ calls, controlTimes }: View): Call[][] {
  const runs: Call[][] = []
  const latest = new Map<string, Call[]>()
  for (const call of calls) {
    const run = latest.get(call.caller)
    const previous = run?.at(-1)
    if (previous && continues(call, previous, controlTimes)) run!.push(call)
    else {
      const started = [call]
      runs.push(started)
      latest.set(call.caller, started)
    }
  }
  return runs
}

const continues = (call: Call, previous: Call, controlTimes: readonly number[]): boolean =>
  call.key === previous.key &&
  call.state === previous.state &&
  call.entry.at >= previous.endedAt &&
  !controlTimes.some((time) => time >= previous.entry.at && time <= call.entry.at)

/** Real or world ms between two calls of a loop that does not wait. */
const TIGHT_MS = 200
/** Calls of a loop that a program does not make by chance. */
const MIN_TIGHT_CALLS = 10

const tightLoop: Finding = {
  id: 'calls.tight_loop',
  severity: 'warn',
  text: {
    en: {
      title: 'The same call was repeated in a tight loop',
      why: 'Nothing changes within milliseconds. The real service limits the number of calls, and answers 429 to all of the application’s.',
      fix: 'Wait between the calls, longer after each one, or keep the answer. For changes, subscribe to notifications.',
    },
    es: {
      title: 'La misma llamada se repitió en un bucle sin pausas',
      why: 'En milisegundos no cambia nada. El servicio real limita la cantidad de llamadas y responde 429 a todas las de la aplicación.',
      fix: 'Espera entre las llamadas, cada vez más, o guarda la respuesta. Para los cambios, suscríbete a las notificaciones.',
    },
    pt: {
      title: 'A mesma chamada foi repetida em um laço sem pausas',
      why: 'Em milissegundos nada muda. O serviço real limita a quantidade de chamadas e responde 429 a todas as da aplicação.',
      fix: 'Espere entre as chamadas, cada vez mais, ou guarde a resposta. Para mudanças, assine as notificações.',
    },
  },
  find: (view) =>
    runsOf(view)
      .filter((run) => countTight(run) >= MIN_TIGHT_CALLS && !isRefusedRun(run))
      // Each may have the reason of a notification.
      .filter((run) => !run.every(view.followsDelivery))
      .map((run) => ({ subject: nameOf(run[0]!), requests: run.map(({ id }) => id) })),
}

/** Calls within the same millisecond may have been sent at once. */
const countTight = (run: readonly Call[]): number =>
  1 + run.slice(1).filter((call, n) => isTight(gapBetween(run[n]!, call))).length

const isTight = (gap: number): boolean => gap > 0 && gap <= TIGHT_MS

/** Refused calls have findings of their own. */
const isRefusedRun = ([first]: readonly Call[]): boolean => isClientError(first!.entry.status)

const MIN_POLLS = 6
/** Longer pauses are those of a program that makes sure that it has missed no notification. */
const MAX_POLL_MS = 600_000
/** The longest pause of a timer is at most this many times the shortest. */
const MAX_VARIATION = 2

const polled: Finding = {
  id: 'calls.polled',
  severity: 'info',
  text: {
    en: {
      title: 'Data were polled although notifications report their changes',
      why: 'The answer did not change. Polling uses up the limit of calls, and notices a change later than a notification does.',
      fix: 'Subscribe to the topic and read a resource when a notification names it; read `/missed_feeds` for those that got lost.',
    },
    es: {
      title: 'Se consultaron datos una y otra vez aunque las notificaciones informan sus cambios',
      why: 'La respuesta no cambió. Consultar a intervalos gasta el límite de llamadas y detecta un cambio más tarde que una notificación.',
      fix: 'Suscríbete al tópico y lee un recurso cuando una notificación lo nombre; lee `/missed_feeds` para las que se perdieron.',
    },
    pt: {
      title: 'Dados foram consultados repetidamente embora as notificações informem suas mudanças',
      why: 'A resposta não mudou. Consultar em intervalos gasta o limite de chamadas e percebe uma mudança mais tarde que uma notificação.',
      fix: 'Assine o tópico e leia um recurso quando uma notificação o nomear; leia `/missed_feeds` para as que se perderam.',
    },
  },
  find(view) {
    const polls = view.calls.filter(({ route, entry }) => topicOfRoute(route) && entry.application_id !== null)
    return [...Map.groupBy(polls, ({ key, state }) => `${state} ${key}`).values()].flatMap((same) =>
      unchangedSeries(same, view)
        .filter((series) => series.length >= MIN_POLLS && isRegular(series))
        .filter((series) => !series.some(view.followsDelivery))
        .map((series) => describePolls(series, view)),
    )
  },
}

/** Series of calls with the same answer, during which their user has changed nothing. */
function unchangedSeries(same: readonly Call[], { calls }: View): Call[][] {
  const series: Call[][] = []
  for (const call of same) {
    const current = series.at(-1)
    const previous = current?.at(-1)
    const isUnchanged =
      previous?.entry.status === call.entry.status &&
      previous.entry.answer?.text === call.entry.answer?.text &&
      !calls.slice(calls.indexOf(previous), calls.indexOf(call)).some((other) => writesAs(other, call))
    if (isUnchanged) current!.push(call)
    else series.push([call])
  }
  return series
}

const writesAs = (other: Call, { entry }: Call): boolean =>
  !other.isRead && other.isSuccess && other.entry.user_id === entry.user_id

/** A timer has made the calls: the pauses are alike. */
function isRegular(series: readonly Call[]): boolean {
  const gaps = series.slice(1).map((call, n) => gapBetween(series[n]!, call))
  const shortest = Math.min(...gaps)
  return shortest > TIGHT_MS && shortest < MAX_POLL_MS && Math.max(...gaps) <= MAX_VARIATION * shortest
}

function describePolls(series: readonly Call[], { subscriptions }: View) {
  const [{ route, entry }] = series as [Call]
  const topic: Topic = topicOfRoute(route)!
  const isSubscribed = subscriptions.get(entry.application_id!)?.includes(topic)
  return {
    subject: `${route}: ${topic}${isSubscribed ? ' (subscribed)' : ''}`,
    requests: series.map(({ id }) => id),
  }
}

export const REPETITION: readonly Finding[] = [tightLoop, polled]
