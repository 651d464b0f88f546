import { isObject } from '../../http/bodies.ts'
import type { RuleId } from '../../http/rules.ts'
import type { Call } from './call.ts'
import type { Finding } from './finding.ts'
import type { View } from './view.ts'

/** Parameters that select a part of a list, or how it is shown, but not what is in it. */
const NOT_A_FILTER = new Set(['limit', 'offset', 'search_type', 'scroll_id', 'attributes', 'api_version', 'callback'])

/** A page of a list that was read. */
interface ReadPage {
  call: Call
  total: number
  limit: number
  isFirst: boolean
  /** `name=value` of each filter, sorted. */
  filters: string[]
}

/** The lists that were read; in each the pages in their order. */
function readLists({ calls }: View): ReadPage[][] {
  const pages = calls.flatMap((call) => readPage(call) ?? [])
  const keyOf = ({ call, filters }: ReadPage) => [call.state, call.route, call.entry.user_id, ...filters].join(' ')
  return [...Map.groupBy(pages, keyOf).values()]
}

function readPage(call: Call): ReadPage | undefined {
  const { limit: limitSchema, offset: offsetSchema } = call.schemas.query.properties ?? {}
  if (!call.isSuccess || !limitSchema || !offsetSchema || !isObject(call.answer)) return undefined
  const { total, paging } = call.answer
  const counted = total ?? (isObject(paging) ? paging.total : undefined)
  if (typeof counted !== 'number') return undefined
  const isContinued = call.parameter('scroll_id') !== undefined || Number(call.parameter('offset') ?? 0) > 0
  return {
    call,
    total: counted,
    limit: Number(call.parameter('limit') ?? limitSchema.default),
    isFirst: !isContinued,
    filters: [...call.query]
      .filter(([name]) => !NOT_A_FILTER.has(name))
      .map(([name, value]) => `${name}=${value}`)
      .sort(),
  }
}

/** A program that sets a smaller limit, or begins with the newest elements, may want these only. */
function wantsWholeList({ call, limit }: ReadPage): boolean {
  const isLargest = limit === call.schemas.query.properties?.limit?.maximum
  const isNewestFirst = /desc/i.test(`${call.query.get('sort_types')} ${call.query.get('orders')}`)
  return !isNewestFirst && (isLargest || call.parameter('limit') === undefined)
}

/** The caller reads the same list in parts, such as periods: with further filters. */
const isRefined = (page: ReadPage, lists: ReadPage[][]): boolean =>
  lists.some(
    ([other]) =>
      other!.call.route === page.call.route &&
      other!.call.entry.user_id === page.call.entry.user_id &&
      other!.filters.length > page.filters.length &&
      page.filters.every((filter) => other!.filters.includes(filter)),
  )

/** The caller changes elements of the page, so that they leave the list: the next first page has others. */
function isWorkedOff({ call }: ReadPage, { calls }: View): boolean {
  if (call.parameter('status') === undefined) return false
  const ids = new Set(idsIn(call.answer))
  const changes = (other: Call) =>
    other.id > call.id && !other.isRead && other.isSuccess && other.entry.user_id === call.entry.user_id
  return calls.some(
    (other) => changes(other) && [String(other.body?.question_id), ...other.path.split('/')].some((id) => ids.has(id)),
  )
}

/** The ids of the elements of a list. */
const idsIn = (answer: unknown): string[] =>
  Object.values(isObject(answer) ? answer : {})
    .filter(Array.isArray)
    .flat()
    .map((element) => String(isObject(element) ? element.id : element))

const firstPageOnly: Finding = {
  id: 'paging.first_page_only',
  severity: 'warn',
  text: {
    en: {
      title: 'Only the first page of a longer list was read',
      why: 'The list has more elements than its page. The program never sees the rest, which grows with the sales of the seller.',
      fix: 'Compare `total` with `offset` + `limit`, and read on with `offset`, or with `search_type=scan` where the call has it. If the first elements are enough, say so with `limit`.',
    },
    es: {
      title: 'Solo se leyó la primera página de una lista más larga',
      why: 'La lista tiene más elementos que la página. El programa nunca ve el resto, que crece con las ventas del vendedor.',
      fix: 'Compara `total` con `offset` + `limit` y sigue leyendo con `offset`, o con `search_type=scan` donde la llamada lo tenga. Si alcanzan los primeros elementos, indícalo con `limit`.',
    },
    pt: {
      title: 'Só a primeira página de uma lista mais longa foi lida',
      why: 'A lista tem mais elementos que a página. O programa nunca vê o resto, que cresce com as vendas do vendedor.',
      fix: 'Compare `total` com `offset` + `limit` e continue com `offset`, ou com `search_type=scan` onde a chamada o tiver. Se os primeiros elementos bastam, indique isso com `limit`.',
    },
  },
  find(view) {
    // The other pages may have been read by calls that are not stored.
    if (!view.isWhole) return []
    const lists = readLists(view)
    return lists.flatMap((pages) => {
      const last = pages.at(-1)!
      const isLeft = pages.every(({ isFirst }) => isFirst) && last.limit > 0 && last.total > last.limit
      if (!isLeft || !wantsWholeList(last) || isRefined(last, lists) || isWorkedOff(last, view)) return []
      return {
        subject: `${last.call.route}: ${last.limit} / ${last.total}`,
        requests: pages.map(({ call }) => call.id),
      }
    })
  },
}

const TOO_DEEP = new Set<RuleId | undefined>(['questions.search.paging', 'items.search.paging'])

const beyondOffset: Finding = {
  id: 'paging.beyond_offset',
  severity: 'error',
  text: {
    en: {
      title: 'A list was paged beyond what `offset` allows',
      why: '`offset` + `limit` may be at most 1000. The call is refused there, so that the program never sees the later elements.',
      fix: 'Begin with `search_type=scan`, and send the `scroll_id` of each answer with the next call, until it is null.',
    },
    es: {
      title: 'Se paginó una lista más allá de lo que `offset` permite',
      why: '`offset` + `limit` puede ser como máximo 1000. A partir de ahí la llamada se rechaza, y el programa nunca ve los elementos siguientes.',
      fix: 'Empieza con `search_type=scan` y envía el `scroll_id` de cada respuesta en la llamada siguiente, hasta que sea null.',
    },
    pt: {
      title: 'Uma lista foi paginada além do que `offset` permite',
      why: '`offset` + `limit` pode ser no máximo 1000. A partir daí a chamada é recusada, e o programa nunca vê os elementos seguintes.',
      fix: 'Comece com `search_type=scan` e envie o `scroll_id` de cada resposta na chamada seguinte, até que seja null.',
    },
  },
  find: ({ calls }) =>
    calls
      .filter(({ entry }) => TOO_DEEP.has(entry.violation?.rule))
      .filter((refused) => !calls.some((call) => isScanAfter(call, refused)))
      .map(({ id, route }) => ({ subject: route!, requests: [id] })),
}

const isScanAfter = (call: Call, { id, route, entry }: Call): boolean =>
  call.id > id &&
  call.route === route &&
  call.entry.user_id === entry.user_id &&
  call.parameter('search_type') === 'scan'

export const PAGING: readonly Finding[] = [firstPageOnly, beyondOffset]
