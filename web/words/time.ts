import { locale } from './words.ts'

/** `12:00:31`, in UTC like all times of the API. */
export const timeOf = (instant: string | number): string => new Date(instant).toISOString().slice(11, 19)

/** `12:00` */
export const minuteOf = (instant: string | number): string => timeOf(instant).slice(0, 5)

/** `12:00:31.790` */
export const preciseTimeOf = (instant: string | number): string => new Date(instant).toISOString().slice(11, 23)

/** `14:00:31.7` on the clock of the person. */
export const localTimeOf = (instant: number): string =>
  `${new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(instant)}.${Math.floor((instant % 1000) / 100)}`

/** Making one takes longer than a hundred uses. */
const dayFormats = new Map<string, Intl.DateTimeFormat>()

function formatDay(instant: string | number, options: Intl.DateTimeFormatOptions): string {
  const key = `${locale()} ${Object.keys(options)}`
  const format =
    dayFormats.get(key) ??
    new Intl.DateTimeFormat(locale(), { day: 'numeric', month: 'short', timeZone: 'UTC', ...options })
  dayFormats.set(key, format)
  return format.format(new Date(instant)).replaceAll(/[.,]| de/g, '')
}

/** `2 mar` */
export const shortDayOf = (instant: string | number): string => formatDay(instant, {})

/** `lun 2 mar 2026` */
export const dayOf = (instant: string | number): string => formatDay(instant, { weekday: 'short', year: 'numeric' })

/** `lun 2 mar 2026 12:00:31` */
export const dateTimeOf = (instant: string | number): string => `${dayOf(instant)} ${timeOf(instant)}`

const UNITS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/** `hace 5 min`, `in 2 days`: of `instant` seen from `now`, both in ms. What lasts 30 days has 30 until it has 29½. */
export function distanceOf(instant: number, now: number): string {
  const seconds = Math.round((instant - now) / 1000)
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto', style: 'short' }).format(
    Math[seconds < 0 ? 'trunc' : 'round'](seconds / size),
    unit,
  )
}

/** `+31 d`, `−6 h`; empty below a minute. */
export function offsetOf(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  const [unit, size] = (
    [
      ['d', 1440],
      ['h', 60],
      ['min', 1],
    ] as const
  ).find((one) => minutes >= one[1]) ?? ['', 0]
  return unit && `${ms < 0 ? '−' : '+'}${Math.round(minutes / size).toLocaleString(locale())} ${unit}`
}

/** `14:00` on the clock of the person. */
export const localMinuteOf = (instant: number): string => localTimeOf(instant).slice(0, 5)

/** `350 ms`, `1.2 s` */
export const durationOf = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toLocaleString(locale(), { maximumFractionDigits: 1 })} s`

/** `4,0 KiB` */
export function bytesOf(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB']
  const power = Math.min(units.length - 1, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toLocaleString(locale(), { maximumFractionDigits: power === 0 ? 0 : 1 })} ${units[power]}`
}
