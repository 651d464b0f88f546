import { isObject } from '../../http/bodies.ts'
import { badParameter } from '../../http/errors/errors.ts'
import type { FlexSite } from './areas.ts'
import type { SubscriptionRow } from './queries.ts'
import type { Day, Ranges } from './settings.ts'

/** Holidays with a fixed date, by site: month, day and name. */
const HOLIDAYS: Record<FlexSite, string> = {
  MLA: '01-01 Año Nuevo, 05-01 Día del Trabajador, 05-25 Revolución de Mayo, 07-09 Independencia, 12-08 Inmaculada Concepción, 12-25 Navidad',
  MLB: '01-01 Ano-Novo, 04-21 Tiradentes, 05-01 Dia do Trabalho, 09-07 Independência, 10-12 Nossa Senhora Aparecida, 11-02 Finados, 11-15 Proclamação da República, 12-25 Natal',
  MLM: '01-01 Año Nuevo, 05-01 Día del Trabajo, 09-16 Independencia, 12-25 Navidad',
  MLC: '01-01 Año Nuevo, 05-01 Día del Trabajo, 09-18 Independencia, 09-19 Glorias del Ejército, 12-25 Navidad',
  MCO: '01-01 Año Nuevo, 05-01 Día del Trabajo, 07-20 Independencia, 08-07 Batalla de Boyacá, 12-08 Inmaculada Concepción, 12-25 Navidad',
  MLU: '01-01 Año Nuevo, 05-01 Día de los Trabajadores, 07-18 Jura de la Constitución, 08-25 Independencia, 12-25 Navidad',
  MPE: '01-01 Año Nuevo, 05-01 Día del Trabajo, 07-28 Fiestas Patrias, 08-30 Santa Rosa de Lima, 12-08 Inmaculada Concepción, 12-25 Navidad',
  MEC: '01-01 Año Nuevo, 05-01 Día del Trabajo, 05-24 Batalla de Pichincha, 08-10 Primer Grito de Independencia, 12-25 Navidad',
}

const FOUR_HOURS = 4 * 3_600_000
/** By the day of the week, Sunday first. */
const WEEK: readonly Day[] = ['sunday', 'week', 'week', 'week', 'week', 'week', 'saturday']

/** The holidays of the site in the twelve months from an instant, at −04:00, with the choice of the seller. */
export function holidaysOf({ site_id, holidays }: SubscriptionRow, now: number) {
  const chosen = new Set(JSON.parse(holidays) as string[])
  const today = new Date(now - FOUR_HOURS).toISOString().slice(0, 10)
  const year = Number(today.slice(0, 4))
  return [year, year + 1]
    .flatMap((year) =>
      HOLIDAYS[site_id as FlexSite].split(', ').map((holiday) => ({
        date: `${year}-${holiday.slice(0, 5)}`,
        description: holiday.slice(6),
      })),
    )
    .filter(({ date }) => date >= today && date < `${year + 1}${today.slice(4)}`)
    .map((holiday) => ({ ...holiday, selected: chosen.has(holiday.date) }))
}

/** `{holidays: [{date, selected}]}`: the dates without deliveries from now on; those that are not sent stay as they are. */
export function parseHolidays(row: SubscriptionRow, { holidays }: Record<string, unknown>, now: number): string[] {
  if (!Array.isArray(holidays)) throw invalid('holidays', 'must be an array of objects with date and selected')
  const dates = new Set(holidaysOf(row, now).map(({ date }) => date))
  const ranges = JSON.parse(row.delivery_ranges) as Ranges
  const chosen = new Set(JSON.parse(row.holidays) as string[])
  for (const [n, holiday] of holidays.entries()) {
    const { date, selected } = isObject(holiday) ? holiday : {}
    if (typeof date !== 'string' || !dates.has(date))
      throw invalid(`holidays[${n}].date`, 'is no holiday of the site in the next twelve months')
    if (typeof selected !== 'boolean') throw invalid(`holidays[${n}].selected`, 'must be true or false')
    if (selected && !ranges[WEEK[new Date(date).getUTCDay()]!])
      throw invalid(`holidays[${n}].selected`, 'must be false: there are no deliveries on that day')
    if (selected) chosen.add(date)
    else chosen.delete(date)
  }
  return [...chosen].sort()
}

const invalid = (name: string, problem: string) => badParameter(name, problem, 'flex.newer.holidays')
