import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { badRequest } from '../../../plugins/errors.ts'
import { wellFormed } from '../texts.ts'
import { parsed } from './scan.ts'
import { type Element, elementSchema, type ListName, SINGLE, type SingleName } from './schema.ts'

let ajv: Ajv2020 | undefined

/** Compiled when they are first needed: most servers load no file. */
const compiled = new Map<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  ajv ??= new Ajv2020({ useDefaults: true, verbose: true, strict: false, keywords: ['x-message', 'x-path'] })
  const known = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, known)
  return known
}

/** Checks a value against a schema and fills its defaults in; 400 with the place of the first complaint. */
function checked(schema: object, value: unknown, place: string): void {
  const validate = validatorOf(schema)
  if (!validate(value)) throw badRequest(complaint(validate.errors![0]!, place))
}

/** An element of a list, from its text. */
export function elementOf<N extends ListName>(name: N, text: string, place: string): Element<N> {
  const element = parsed(text, place)
  checked(elementSchema(name), element, place)
  return wellFormed(element) as Element<N>
}

/** A member that is no list. */
export function checkSingle(name: SingleName, value: unknown): void {
  checked(SINGLE[name], value, name)
}

interface Told {
  'x-message'?: string
  properties?: Record<string, Told>
}

/** What is wrong, and where: `items[3].price: must be a number from 0 to 10^12`. */
function complaint({ instancePath, keyword, params, message, parentSchema }: ErrorObject, place: string): string {
  const steps = instancePath.split('/').slice(1)
  const at = (...more: string[]) =>
    place + [...steps, ...more].map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  const schema = (parentSchema ?? {}) as Told
  if (keyword === 'additionalProperties') return `${at(params.additionalProperty)}: is not known here`
  if (keyword === 'required') {
    const missing = schema.properties?.[params.missingProperty]?.['x-message']
    return `${at(params.missingProperty)}: is required${missing ? `, ${missing}` : ''}`
  }
  return `${at()}: ${schema['x-message'] ?? message}`
}
