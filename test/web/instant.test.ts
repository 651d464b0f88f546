import t from 'tap'
import { readInstant } from '../../web/screens/clock/instant.ts'

/** A Monday. */
const NOW = Date.UTC(2026, 2, 2, 12)
const read = (text: string) => {
  const at = readInstant(text, NOW)
  return at === undefined ? undefined : new Date(at).toISOString().replace('.000Z', '')
}

t.test('distances, days, times and dates are read, in three languages', async (t) => {
  for (const [text, at] of [
    ['+7h', '2026-03-02T19:00:00'],
    ['7 horas', '2026-03-02T19:00:00'],
    ['+3d', '2026-03-05T12:00:00'],
    ['-1d 12h', '2026-03-01T00:00:00'],
    ['+ 90 min 30s', '2026-03-02T13:30:30'],
    ['1w', '2026-03-09T12:00:00'],
    ['+2 semanas', '2026-03-16T12:00:00'],
    ['Mon 09:00', '2026-03-09T09:00:00'],
    ['lun 13:00', '2026-03-02T13:00:00'],
    ['segunda-feira 9:30', '2026-03-09T09:30:00'],
    ['mié 00:00:01', '2026-03-04T00:00:01'],
    ['Sábado', '2026-03-07T00:00:00'],
    ['sun', '2026-03-08T00:00:00'],
    ['11:59', '2026-03-03T11:59:00'],
    ['2026-03-01', '2026-03-01T00:00:00'],
    ['2026-03-01 08:30', '2026-03-01T08:30:00'],
    ['2026-03-01T08:30:15Z', '2026-03-01T08:30:15'],
  ] as const)
    t.equal(read(text), at, text)
})

t.test('other texts are not guessed', async (t) => {
  for (const text of ['', '+', '7', 'mañana', 'fri 25:00', '12:60', '+7x', '1 mes', '2026-13-01', 'h', '+7h mon'])
    t.equal(read(text), undefined, text)
})
