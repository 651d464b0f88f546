const COUNTRIES =
  'MLA AR MLB BR MLM MX MLC CL MCO CO MLU UY MPE PE MEC EC MLV VE MBO BO MPY PY MCR CR MPA PA MRD DO MGT GT MHN HN MNI NI MSV SV MCU CU'
export const SITES = COUNTRIES.split(' ').filter((_, n) => n % 2 === 0)

const NBSP = '\u00a0'

/** `ARS 12.999,50`: with the separators of the site of a listing or user, of which `id` is or begins with the code. */
export function money(amount: number, currency: string | null, id: string): string {
  const site = id.slice(0, 3)
  const country = new RegExp(`${site} (..)`).exec(COUNTRIES)?.[1] ?? 'US'
  const digits = { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2, maximumFractionDigits: 2 }
  const text = amount.toLocaleString(site === 'MLB' ? 'pt-BR' : `es-${country}`, { ...digits, useGrouping: 'always' })
  return currency === null ? text : `${currency}${NBSP}${text}`
}
