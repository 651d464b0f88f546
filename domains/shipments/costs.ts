import { money } from '../currencies/currencies.ts'

/** What the shipment of a parcel up to 1 kg costs without discounts, by currency. */
const PRICES: Readonly<Record<string, number>> = {
  ...{ ARS: 6500, BRL: 22.9, MXN: 99, CLP: 3990, COP: 14_900, UYU: 219, PEN: 14.9, USD: 4.9 },
}
const USUAL_PRICE = 5
/** Each further kilogram costs this share of it. */
const SHARE_OF_KILOGRAM = 0.2

/** What the shipment of a parcel costs without discounts [spec: shipments.list_cost]. */
export function listCost(currency_id: string, grams: number): number {
  const { minor, amount } = money(currency_id)
  const kilograms = Math.max(1, Math.ceil(grams / 1000))
  return amount(Math.round(minor(PRICES[currency_id] ?? USUAL_PRICE) * (1 + (kilograms - 1) * SHARE_OF_KILOGRAM)))
}

/** Size in cm and weight in g. */
export interface Dimensions {
  height: number
  width: number
  length: number
  weight: number
}
const USUAL: Dimensions = { height: 10, width: 20, length: 30, weight: 500 }

/** Of a unit, as its listing says: `HxWxL,g`; else usual ones. */
export function parseDimensions(text: string | undefined): Dimensions {
  const numbers = /^([\d.]+)x([\d.]+)x([\d.]+),([\d.]+)$/i
    .exec(text ?? '')
    ?.slice(1)
    .map(Number)
  if (!numbers?.every(Number.isFinite)) return USUAL
  const [height, width, length, weight] = numbers as [number, number, number, number]
  return { height, width, length, weight }
}

/** A parcel of several units, one upon the other. */
export const parcelOf = (units: readonly (Dimensions & { quantity: number })[]): Dimensions =>
  units.length === 0
    ? USUAL
    : {
        height: units.reduce((sum, { height, quantity }) => sum + height * quantity, 0),
        width: Math.max(...units.map(({ width }) => width)),
        length: Math.max(...units.map(({ length }) => length)),
        weight: units.reduce((sum, { weight, quantity }) => sum + weight * quantity, 0),
      }

/** What remains of a price for the other side, and which share of it that is. */
export function shareOf(currency_id: string, cost: number, list_cost: number): { rate: number; rest: number } {
  const { minor, amount } = money(currency_id)
  const rest = Math.max(0, minor(list_cost) - minor(cost))
  return { rate: list_cost === 0 ? 0 : Math.round((rest / minor(list_cost)) * 100) / 100, rest: amount(rest) }
}
