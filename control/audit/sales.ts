import { idInResource } from '../../domains/notifications/delivery/attempt_log.ts'
import { isObject } from '../../http/bodies.ts'
import type { Call } from './call.ts'
import type { Case, Finding } from './finding.ts'
import { isAfterLostAnswer } from './questions.ts'
import { repeatedWrites } from './repeated_writes.ts'
import { type AuditedDelivery, LABELS, type View } from './view.ts'

/** Real ms after a notification within which a program handles it; later a person may want the label again. */
export const HANDLING_MS = 60_000

const handledTwice: Finding = {
  id: 'orders.handled_twice',
  severity: 'error',
  text: {
    en: {
      title: 'An order was handled twice',
      why: 'The program fetched the label again when the notification came again, or gave feedback on an order on which it had given some. Two labels become two parcels, and a second feedback is refused.',
      fix: 'Remember which orders were handled, or look at the shipment’s `substatus` and the order’s `feedback` before acting.',
    },
    es: {
      title: 'Una venta se procesó dos veces',
      why: 'El programa volvió a pedir la etiqueta cuando la notificación llegó otra vez, o calificó una venta que ya había calificado. Dos etiquetas son dos paquetes, y la segunda calificación se rechaza.',
      fix: 'Guarda qué ventas ya procesaste, o mira el `substatus` del envío y el `feedback` de la venta antes de actuar.',
    },
    pt: {
      title: 'Uma venda foi processada duas vezes',
      why: 'O programa pediu a etiqueta de novo quando a notificação chegou outra vez, ou avaliou uma venda que já tinha avaliado. Duas etiquetas são dois pacotes, e a segunda avaliação é recusada.',
      fix: 'Guarde quais vendas já foram processadas, ou olhe o `substatus` do envio e o `feedback` da venda antes de agir.',
    },
  },
  find: (view) => [...labelsFetchedTwice(view), ...feedbackGivenTwice(view)],
}

/** Labels that were fetched after the first and again after the second attempt of a notification about their order. */
function labelsFetchedTwice(view: View): Case[] {
  const fetches = view.calls.filter(({ route, isSuccess }) => route === LABELS && isSuccess)
  if (fetches.length < 2) return []
  return view.deliveries.flatMap((delivery) => {
    const [first, second] = delivery.attempts
    if (second?.startedAt === undefined) return []
    const start = first!.startedAt ?? second.startedAt
    return shipmentsOf(delivery, view).flatMap((id) => {
      const own = fetches.filter((call) => {
        const { application_id, user_id, at } = call.entry
        const isOwn = application_id === delivery.application_id && user_id === delivery.user_id
        return isOwn && at >= start && call.ids('shipment_ids').includes(Number(id))
      })
      const isPrompt = ({ entry: { at } }: Call) => at >= second.startedAt! && at <= second.startedAt! + HANDLING_MS
      const again = own.slice(1).filter(isPrompt)
      if (again.length === 0) return []
      const requests = [own[0]!, ...again].map((call) => call.id)
      return { subject: `/shipments/${id}`, requests, deliveries: [delivery.id] }
    })
  })
}

/** The shipments that a notification is about; that of an order is what an answer about it said. */
function shipmentsOf({ topic, resource }: AuditedDelivery, { calls }: View): string[] {
  const id = idInResource(resource)
  if (topic === 'shipments') return [id]
  if (topic !== 'orders_v2') return []
  const seen = calls.flatMap(({ route, isSuccess, answer }) => {
    if (!isSuccess || !route?.startsWith('GET /orders/') || !isObject(answer)) return []
    const orders = [answer, ...(Array.isArray(answer.results) ? answer.results : [])]
    const order = orders.find((one) => isObject(one) && String(one.id) === id) as Record<string, unknown> | undefined
    return isObject(order?.shipping) && order.shipping.id ? String(order.shipping.id) : []
  })
  return [...new Set(seen)]
}

/** What follows a repeated notification is a finding of its own. */
function feedbackGivenTwice(view: View): Case[] {
  const repeated = new Set(repeatedWrites(view).map(({ second }) => second))
  return view.calls
    .filter(({ entry }) => entry.violation?.rule === 'orders.feedback.once')
    .flatMap((call) => {
      const given = view.calls.find(
        (one) =>
          one.id < call.id &&
          one.isSuccess &&
          one.route === call.route &&
          one.path === call.path &&
          one.state === call.state &&
          one.entry.user_id === call.entry.user_id,
      )
      if (!given || repeated.has(call) || isAfterLostAnswer(view.calls, call)) return []
      return { subject: call.path, requests: [given.id, call.id] }
    })
}

const staleStock: Finding = {
  id: 'items.stale_stock',
  severity: 'warn',
  text: {
    en: {
      title: 'Stock was set to the count from before a sale',
      why: 'Units were sold after the program had read the stock; then it wrote the same number again without having read the listing or the sale. The sold units are for sale again: the listing will be oversold.',
      fix: 'Subscribe to `orders_v2` and subtract sales, or read the listing right before writing its stock.',
    },
    es: {
      title: 'Se fijó el stock que había antes de una venta',
      why: 'Se vendieron unidades después de que el programa leyó el stock; luego escribió el mismo número sin haber leído la publicación ni la venta. Las unidades vendidas vuelven a estar a la venta: se venderá de más.',
      fix: 'Suscríbete a `orders_v2` y resta las ventas, o lee la publicación justo antes de escribir su stock.',
    },
    pt: {
      title: 'O estoque foi definido com o número de antes de uma venda',
      why: 'Unidades foram vendidas depois que o programa leu o estoque; então ele escreveu o mesmo número sem ter lido o anúncio nem a venda. As unidades vendidas voltam a estar à venda: o anúncio venderá a mais.',
      fix: 'Assine `orders_v2` e subtraia as vendas, ou leia o anúncio logo antes de escrever seu estoque.',
    },
  },
  find({ calls }) {
    const cases: Case[] = []
    /** The latest that a caller knows, by caller and listing. */
    const known = new Map<string, { call: Call; available: number; sold: number }>()
    for (const call of calls) {
      if (!call.isSuccess) continue
      const { application_id, user_id } = call.entry
      const keyOf = (id: unknown) => JSON.stringify([call.state, application_id, user_id, id])
      // It may have learned of a sale there, and of units that came since.
      if (/^GET \/(orders|packs|collections|v1\/payments)/.test(call.route ?? '')) {
        const caller = keyOf('').slice(0, -3)
        for (const key of known.keys()) if (key.startsWith(caller)) known.delete(key)
      }
      for (const { id, available_quantity: available, sold_quantity: sold } of listingsIn(call)) {
        const before = known.get(keyOf(id))
        const { available_quantity, variations } = call.route === 'PUT /items/:item_id' ? (call.body ?? {}) : {}
        const isSet = available_quantity !== undefined || variations !== undefined
        if (before && isSet && available === before.available && sold > before.sold)
          cases.push({ subject: `/items/${id}`, requests: [before.call.id, call.id] })
        known.set(keyOf(id), { call, available, sold })
      }
    }
    return cases
  },
}

interface Listing {
  id: string
  available_quantity: number
  sold_quantity: number
}

/** Listings with their numbers in an answer. */
function listingsIn({ route, answer }: Call): Listing[] {
  if (!route?.includes(' /items')) return []
  return [answer]
    .flat()
    .map((element) => (isObject(element) && isObject(element.body) ? element.body : element))
    .filter(
      (one): one is Listing & Record<string, unknown> =>
        isObject(one) &&
        typeof one.id === 'string' &&
        typeof one.available_quantity === 'number' &&
        typeof one.sold_quantity === 'number',
    )
}

export const SALES: readonly Finding[] = [handledTwice, staleStock]
