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

export const CURRENCIES: Currency[] = (
  [
    ['ARS', 'Peso argentino', '$', 2],
    ['BRL', 'Real', 'R$', 2],
    ['CLF', 'Unidad de Fomento', 'UF', 2],
    ['CLP', 'Peso Chileno', '$', 0],
    ['COP', 'Peso colombiano', '$', 0],
    ['CRC', 'Colones', '¢', 2],
    ['DOP', 'Peso Dominicano', '$', 2],
    ['EUR', 'Euro', '€', 2],
    ['MXN', 'Peso Mexicano', '$', 2],
    ['PAB', 'Balboa', 'B/.', 2],
    ['PEN', 'Soles', 'S/.', 2],
    ['USD', 'Dólar', 'US$', 2],
    ['UYU', 'Peso Uruguayo', '$', 2],
    ['VEF', 'Bolivar fuerte', 'Bs.', 2],
    ['GTQ', 'Quetzal Guatemalteco', 'Q', 2],
    ['BOB', 'Boliviano', 'Bs', 2],
    ['HNL', 'Lempira', 'L', 0],
    ['NIO', 'Córdoba', 'C$', 0],
    ['PYG', 'Guaraní', '₲', 0],
    ['CUC', 'Peso Cubano Convertible', '$', 2],
  ] as const
).map(([id, description, symbol, decimal_places]) => ({ id, description, symbol, decimal_places }))

/** Units of a currency for a dollar, roughly. */
export const PER_DOLLAR = {
  ...{
    ARS: 1400,
    BRL: 5.6,
    CLF: 0.024,
    CLP: 950,
    COP: 4100,
    CRC: 510,
    DOP: 60,
    EUR: 0.92,
    MXN: 18.5,
    PAB: 1,
    PEN: 3.7,
  },
  ...{ USD: 1, UYU: 41, VEF: 100, GTQ: 7.7, BOB: 6.9, HNL: 25, NIO: 36, PYG: 7500, CUC: 1 },
} as const satisfies Record<string, number>

/** The currencies of prices. */
export const CURRENCY_IDS: string[] = CURRENCIES.map(({ id }) => id)

/** Amounts of a currency in its smallest unit, where sums are exact. */
export function money(currency_id: string): { minor(amount: number): number; amount(minor: number): number } {
  const { decimal_places = 2 } = CURRENCIES.find(({ id }) => id === currency_id) ?? {}
  const factor = 10 ** decimal_places
  return { minor: (amount) => Math.round(amount * factor), amount: (minor) => minor / factor }
}
