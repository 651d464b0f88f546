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
const toAscii = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x21-\x7e]+/g, ' ')
    .trim()

/** Widths of three bars and three gaps, in modules, by the value of a sign; the last one is the stop sign, with four bars. */
const WIDTHS = [
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222',
  '123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321',
  '232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121',
  '313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224',
  '111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111',
  '111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113',
  '114311411113411311113141114131311141411131211412211214211232',
].flatMap((line) => line.match(/.{6}/g)!)
const STOP = '2331112'
const START_B = 104

/** Each bar of a text of printable ASCII as Code 128: where it begins, and its width, in modules. `modules`: of all. */
export function code128(text: string): { bars: { at: number; width: number }[]; modules: number } {
  const values = [...text].map((sign) => sign.charCodeAt(0) - 32)
  const check = values.reduce((sum, value, n) => sum + value * (n + 1), START_B) % 103
  const widths = [...[START_B, ...values, check].map((value) => WIDTHS[value]!), STOP].join('')
  let modules = 0
  const bars = [...widths].map((width, n) => {
    const bar = { at: modules, width: n % 2 === 0 ? Number(width) : 0 }
    modules += Number(width)
    return bar
  })
  return { bars: bars.filter(({ width }) => width > 0), modules }
}
