import { code128 } from './code_128.ts'
import { type Label, PAPER } from './labels.ts'

/** Points in a millimetre. */
const MM = 72 / 25.4
const BLACK = '#000000'
const { width, height, margin, rules, bar } = PAPER

/** A page for each label. The same labels give the same bytes. */
export async function labelsAsPdf(labels: readonly Label[]): Promise<Buffer> {
  // Most processes print no label.
  const { measureText, pdf } = await import('tinypdf')
  /** What fits into a line. */
  const fitting = (text: string, size: number): string => {
    let length = text.length
    while (measureText(text.slice(0, length), size) > width - 2 * margin) length--
    return text.slice(0, length)
  }
  const document = pdf()
  for (const { shipment, lines } of labels)
    document.page(width * MM, height * MM, (page) => {
      for (const { text, top, size } of lines)
        page.text(fitting(toAscii(text), size), margin * MM, (height - top) * MM, size * MM)
      for (const top of rules)
        page.line(margin * MM, (height - top) * MM, (width - margin) * MM, (height - top) * MM, BLACK)
      const { bars, modules } = code128(shipment)
      const module = (width - 4 * margin) / modules
      const foot = (height - bar.top - bar.height) * MM
      for (const one of bars)
        page.rect((2 * margin + one.at * module) * MM, foot, one.width * module * MM, bar.height * MM, BLACK)
    })
  return Buffer.from(document.build())
}

/** The library's font has no other signs: accents are dropped, what remains becomes a space. */
export const toAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()
