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
