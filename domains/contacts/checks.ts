import { type CallChecks, type CallContext, type Check, defineChecks } from '../../http/errors/checks.ts'
import { listItems, sellerOfItem } from '../items/queries.ts'
import { listUsers } from '../users/queries.ts'
import type { SubjectName } from './schemas.ts'

const CHECKS = defineChecks({
  range: [
    ['http.dates.query', 'contacts.totals.required'],
    'date_from and date_to are dates, the first not after the second',
    'date_from y date_to son fechas, la primera no posterior a la segunda',
    'date_from e date_to são datas, a primeira não posterior à segunda',
  ],
  ids: [
    'contacts.several.ids',
    'ids names 1 to 50 listings',
    'ids nombra de 1 a 50 publicaciones',
    'ids contém de 1 a 50 anúncios',
    'ids',
  ],
  ending: [
    ['http.dates.query', 'contacts.windows.ending_range'],
    'ending is a date, and the window is between the years 1000 and 9999',
    'ending es una fecha, y la ventana está entre los años 1000 y 9999',
    'ending é uma data, e a janela está entre os anos 1000 e 9999',
    'ending',
  ],
  visit_ids: ['visits.ids', 'ids names one listing', 'ids nombra una publicación', 'ids contém um anúncio', 'ids'],
  visit_range: [
    ['http.dates.query', 'visits.range'],
    'date_from and date_to are dates, the second at most 150 days after the first',
    'date_from y date_to son fechas, la segunda hasta 150 días después de la primera',
    'date_from e date_to são datas, a segunda até 150 dias depois da primeira',
  ],
  subject_exists: [
    'contacts.not_found',
    'The listing or user exists',
    'La publicación o el usuario existe',
    'O anúncio ou o usuário existe',
  ],
  own_subject: [
    'contacts.owner_only',
    'The caller may read these statistics',
    'Quien llama puede leer estas estadísticas',
    'Quem chama pode ler estas estatísticas',
  ],
})

const PAGE = { limit: 20, offset: 0 }

async function listings({ q, caller }: CallContext): Promise<string[]> {
  const { rows } = await listItems(q, caller ? { seller_id: caller.user_id } : {}, PAGE)
  return rows.map(({ id }) => id)
}

/** The caller, or some sellers. */
async function sellers({ q, caller }: CallContext): Promise<number[]> {
  return caller ? [caller.user_id] : (await listUsers(q, { kind: 'seller' }, PAGE)).rows.map(({ id }) => id)
}

/** The owner, if only the owner may read the statistics. */
async function owner({ q, sent }: CallContext): Promise<number[]> {
  if (sent('user_id') !== undefined) return [Number(sent('user_id'))]
  const seller = await sellerOfItem(q, String(sent('item_id') ?? String(sent('ids')).split(',')[0]))
  return seller === undefined ? [] : [seller]
}

const about = (check: Check, field: string): Check => ({ ...check, field })

const VALUES: CallChecks['values'] & object = {
  item_id: listings,
  user_id: sellers,
  ids: async (context) => [(await listings(context)).slice(0, 2).join(',')],
  // A range may be empty.
  date_from: ({ sent }) => [sent('date_to')],
  date_to: ({ sent }) => [sent('date_from')],
}

const checksOf = (checks: Check[], subject: SubjectName | 'ids'): CallChecks => ({
  order: 'contacts.order',
  checks: [...checks, about(CHECKS.subject_exists, subject), about(CHECKS.own_subject, subject)],
  values: VALUES,
  callers: owner,
})

export const visitChecks = (
  subject: SubjectName | 'ids' | 'me',
  dates: readonly ('visit_range' | 'ending')[],
): CallChecks => ({
  order: 'visits.order',
  checks: [
    ...(subject === 'ids' ? [CHECKS.visit_ids] : []),
    ...(subject === 'me' ? [] : [about(CHECKS.subject_exists, subject)]),
    ...dates.map((name) => CHECKS[name]),
  ],
  values: { ...VALUES, ids: listings },
})

export const totalChecks = (subject: SubjectName): CallChecks => checksOf([CHECKS.range], subject)
/** `ids`: the path takes them, too. */
export const windowChecks = (subject: SubjectName | 'ids', { ids }: { ids: boolean }): CallChecks =>
  checksOf([...(ids ? [CHECKS.ids] : []), CHECKS.ending], subject)
