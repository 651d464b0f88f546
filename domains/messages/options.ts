import { isObject } from '../../http/bodies.ts'
import { languageOf } from '../users/sites.ts'
import { SELLER_MAX_LENGTH } from './bodies.ts'
import { invalidOptionText, invalidTemplate, unknownOption } from './errors.ts'

// The motives with which a seller may begin a conversation.

type Language = 'es' | 'pt'

interface Option {
  id: string
  description: string
  /** Its text; {INIT} and {LIMIT} are variables. None: the seller writes it. */
  template?: Record<Language, string>
  /** Only for sales with Flex. */
  isFlex?: boolean
}

const OPTIONS: readonly Option[] = [
  {
    id: 'REQUEST_VARIANTS',
    description: 'Ask which variant the buyer wants',
    template: {
      es: 'Hola, ¿nos confirmas las características del producto que compraste? Así podemos enviarlo.',
      pt: 'Olá! Pode confirmar as características do produto que você comprou? Assim podemos enviá-lo.',
    },
  },
  {
    id: 'REQUEST_BILLING_INFO',
    description: 'Ask for the data of the invoice',
    template: {
      es: 'Hola, para hacer la factura de tu compra necesitamos tu nombre y apellido, documento y domicilio.',
      pt: 'Olá! Para emitir a nota fiscal da sua compra precisamos do seu nome, documento e endereço.',
    },
  },
  { id: 'SEND_INVOICE_LINK', description: 'Send a link to the invoice' },
  {
    id: 'DELIVERY_PROMISE',
    description: 'Say when the parcel will arrive today',
    template: {
      es: 'Hola, entregaremos tu compra hoy entre las {INIT} y las {LIMIT} h.',
      pt: 'Olá! Entregaremos sua compra hoje entre {INIT} e {LIMIT} h.',
    },
    isFlex: true,
  },
  { id: 'OTHER', description: 'Anything else' },
]

const templateId = ({ id }: Option): string => `TEMPLATE___${id}___1`
const variables = ({ template, ...option }: Option) =>
  ['INIT', 'LIMIT']
    .filter((name) => template?.es.includes(`{${name}}`))
    .map((name) => ({ id: `${templateId(option)}___VAR___${name}`, name }))

interface Sale {
  site_id: string
  isFlex: boolean
  /** Motives that were used. */
  used: readonly string[]
}

/** The motives of a sale, as the guide lists them. */
export const optionsOf = ({ isFlex, used }: Pick<Sale, 'isFlex' | 'used'>) =>
  OPTIONS.filter((option) => isFlex || !option.isFlex).map((option) => {
    const vars = variables(option).map(({ id }) => ({ id, type: 'NUMBER' }))
    return {
      id: option.id,
      internal_description: option.description,
      enabled: true,
      type: option.template ? ('TEMPLATE' as const) : ('FREE_TEXT' as const),
      templates: option.template ? [{ id: templateId(option), vars: vars.length > 0 ? vars : null }] : null,
      actionable: true,
      char_limit: option.template ? null : SELLER_MAX_LENGTH,
      child_options: null,
      cap_available: used.includes(option.id) ? 0 : 1,
    }
  })

/** The motive and the text of a body. Throws 404 for an unknown motive, 400 for a wrong template or text. */
export function readOption(body: Record<string, unknown>, sale: Sale): { option_id: string; text: string } {
  const option = OPTIONS.find(({ id, isFlex }) => id === body.option_id && (sale.isFlex || !isFlex))
  if (!option) throw unknownOption()
  const { id: option_id, template } = option
  const { template_id = templateId(option), vars = [], text = '' } = body
  const isVariable = (one: unknown) => isObject(one) && typeof one.id === 'string' && typeof one.value === 'number'
  // A motive without a template ignores both, but they must be what they are said to be.
  const isWrong = template ? template_id !== templateId(option) : typeof template_id !== 'string'
  if (isWrong || !Array.isArray(vars) || !vars.every(isVariable)) throw invalidTemplate(template_id)
  if (typeof text !== 'string') throw invalidOptionText()
  if (!template) {
    if (text.trim() === '' || [...text].length > SELLER_MAX_LENGTH) throw invalidOptionText()
    return { option_id, text }
  }
  const filled = variables(option).reduce((before, { id, name }) => {
    const value = vars.find((one) => one.id === id)?.value
    if (value === undefined) throw invalidTemplate(template_id)
    return before.replace(`{${name}}`, String(value))
  }, template[languageOf(sale.site_id)])
  return { option_id, text: filled }
}
