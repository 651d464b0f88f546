import { crc32 } from 'node:zlib'
import { type Label, PAPER } from './labels.ts'

/** Dots of a printer in a millimetre. */
const DOTS = 8
const dots = (mm: number): number => Math.round(mm * DOTS)
const { width, height, margin, rules, bar } = PAPER

/** The commands for printers of labels, as text. */
export const labelsAsZpl = (labels: readonly Label[]): string =>
  labels.map(({ shipment, lines }) => [...commandsOf(shipment, lines), ''].join('\n')).join('')

const commandsOf = (shipment: string, lines: Label['lines']): string[] => [
  ...['^XA', '^CI28', `^PW${dots(width)}`, `^LL${dots(height)}`],
  ...lines
    .filter(({ text }) => text !== '')
    .map(({ text, top, size }) => `^FO${dots(margin)},${dots(top - size)}^A0N,${dots(size)}^FH_^FD${escaped(text)}^FS`),
  ...rules.map((top) => `^FO${dots(margin)},${dots(top)}^GB${dots(width - 2 * margin)},2,2^FS`),
  `^FO${dots(2 * margin)},${dots(bar.top)}^BY3^BCN,${dots(bar.height)},N,N,N^FD${shipment}^FS`,
  '^XZ',
]

/** `^` and `~` begin commands. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .replace(/[\^~_]/g, (sign) => `_${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** 1 January 1980, the earliest day of a ZIP: the same labels give the same bytes. */
const DAY = 0x21
const UTF_8 = 0x800

/** A ZIP with one file as it is. `name` and text are stored in UTF-8. */
export function zipOf(name: string, text: string): Buffer {
  const [path, data] = [Buffer.from(name), Buffer.from(text)]
  const about = Buffer.alloc(26)
  about.writeUInt16LE(20, 0)
  about.writeUInt16LE(UTF_8, 2)
  about.writeUInt16LE(DAY, 8)
  about.writeUInt32LE(crc32(data), 10)
  about.writeUInt32LE(data.length, 14)
  about.writeUInt32LE(data.length, 18)
  about.writeUInt16LE(path.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, path, data])
  // Comment, disk, attributes and position of the file are zero.
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), about, Buffer.alloc(14), path])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(local.length, 12)
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end])
}
