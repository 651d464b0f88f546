import { type Static, Type } from '@sinclair/typebox'
import { ResponseObject } from '../shared/schemas.ts'

export const Currency = ResponseObject(
  {
    id: Type.String({ description: 'ISO 4217 code', examples: ['ARS'], 'x-path': '/currencies/:id' }),
    description: Type.String({ description: 'Name of the currency', examples: ['Peso argentino'] }),
    symbol: Type.String({ description: 'Symbol shown before an amount', examples: ['$'] }),
    decimal_places: Type.Integer({ description: 'Decimals of an amount', examples: [2] }),
  },
  { title: 'Currency', description: 'A currency' },
)
type Currency = Static<typeof Currency>

/** Name, symbol, decimals, and units for a dollar, roughly. */
const TABLE = {
  ARS: ['Peso argentino', '$', 2, 1400],
  BRL: ['Real', 'R$', 2, 5.6],
  CLF: ['Unidad de Fomento', 'UF', 2, 0.024],
  CLP: ['Peso Chileno', '$', 0, 950],
  COP: ['Peso colombiano', '$', 0, 4100],
  CRC: ['Colones', '¢', 2, 510],
  DOP: ['Peso Dominicano', '$', 2, 60],
  EUR: ['Euro', '€', 2, 0.92],
  MXN: ['Peso Mexicano', '$', 2, 18.5],
  PAB: ['Balboa', 'B/.', 2, 1],
  PEN: ['Soles', 'S/.', 2, 3.7],
  USD: ['Dólar', 'US$', 2, 1],
  UYU: ['Peso Uruguayo', '$', 2, 41],
  VEF: ['Bolivar fuerte', 'Bs.', 2, 100],
  GTQ: ['Quetzal Guatemalteco', 'Q', 2, 7.7],
  BOB: ['Boliviano', 'Bs', 2, 6.9],
  HNL: ['Lempira', 'L', 0, 25],
  NIO: ['Córdoba', 'C$', 0, 36],
  PYG: ['Guaraní', '₲', 0, 7500],
  CUC: ['Peso Cubano Convertible', '$', 2, 1],
} as const
export type CurrencyId = keyof typeof TABLE

export const CURRENCIES: Currency[] = Object.entries(TABLE).map(([id, [description, symbol, decimal_places]]) => ({
  id,
  description,
  symbol,
  decimal_places,
}))
export const perDollar = (id: CurrencyId): number => TABLE[id][3]

/** The currencies of prices. */
export const CURRENCY_IDS: string[] = CURRENCIES.map(({ id }) => id)

/** Amounts of a currency in its smallest unit, where sums are exact. */
export function money(currency_id: string): { minor(amount: number): number; amount(minor: number): number } {
  const { decimal_places = 2 } = CURRENCIES.find(({ id }) => id === currency_id) ?? {}
  const factor = 10 ** decimal_places
  return { minor: (amount) => Math.round(amount * factor), amount: (minor) => minor / factor }
}
