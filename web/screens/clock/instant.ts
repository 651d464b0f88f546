import { fold } from '../../words/words.ts'

const MS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

/** The first three letters of the days in Spanish, Portuguese and English, without accents; Sunday first. */
const DAYS = ['dom sun', 'lun seg mon', 'mar ter tue', 'mie qua wed', 'jue qui thu', 'vie sex fri', 'sab sat']

/**
 * What a person types to say where the clock should go, in ms (UTC): `+7h`, `-1d 12h`, `Mon 09:00`, `lunes`, `09:00`,
 * `2026-03-02 12:00`. Days and times are the next ones after `now`. Undefined for other texts.
 */
export function readInstant(text: string, now: number): number | undefined {
  const typed = fold(text.trim())
  return readDistance(typed, now) ?? readNext(typed, now) ?? readDate(typed)
}

function readDistance(text: string, now: number): number | undefined {
  const [, sign, amounts] = /^([+−-]?)\s*((?:\d{1,6}\s*[a-z]+\s*)+)$/.exec(text) ?? []
  if (amounts === undefined) return undefined
  let ms = 0
  for (const [, n, unit] of amounts.matchAll(/(\d+)\s*([a-z]+)/g)) {
    // Weeks are `sem` in Spanish and Portuguese. Months have no fixed length.
    const size = unit!.startsWith('sem') ? MS.w : MS[unit![0]!]
    if (size === undefined || /^m[eo]/.test(unit!)) return undefined
    ms += Number(n) * size
  }
  return sign === '' || sign === '+' ? now + ms : now - ms
}

function readNext(text: string, now: number): number | undefined {
  const found = /^([a-z]{3}[a-z-]*)?\s*(\d{1,2}:\d\d(?::\d\d)?)?$/.exec(text)
  if (!found || text === '') return undefined
  const [, name, time = '0:00'] = found
  const day = name === undefined ? undefined : DAYS.findIndex((names) => names.includes(name.slice(0, 3)))
  const [hours, minutes, seconds = 0] = time.split(':').map(Number) as [number, number, number?]
  if (day === -1 || hours > 23 || minutes > 59 || seconds > 59) return undefined
  const midnight = Math.floor(now / MS.d!) * MS.d!
  let at = midnight + hours * MS.h! + minutes * MS.m! + seconds * 1000
  while (at <= now || (day !== undefined && new Date(at).getUTCDay() !== day)) at += MS.d!
  return at
}

function readDate(text: string): number | undefined {
  const [, date, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ t]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)z?)?$/.exec(text) ?? []
  const at = Date.parse(`${date}T${time}Z`)
  return Number.isNaN(at) ? undefined : at
}
