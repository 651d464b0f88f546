import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { toWellFormed } from '../../domains/shared/texts.ts'
import { badRequest } from '../../http/errors.ts'
import { parseJson } from './scanner.ts'
import { type Element, elementSchema, type ListName, SINGLE_MEMBERS, type SingleMemberName } from './schemas.ts'

let ajv: Ajv2020 | undefined

/** Compiled when they are first needed: most servers load no file. */
const validators = new Map<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  ajv ??= new Ajv2020({ useDefaults: true, verbose: true, strict: false, keywords: ['x-message', 'x-path'] })
  const validator = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validator)
  return validator
}

/** Checks a value against a schema and fills its defaults in; 400 with the place of the first complaint. */
function validate(schema: object, value: unknown, place: string): void {
  const validator = validatorOf(schema)
  if (!validator(value)) throw badRequest(errorMessage(validator.errors![0]!, place))
}

/** An element of a list, from its text. */
export function parseElement<N extends ListName>(name: N, text: string, place: string): Element<N> {
  const element = parseJson(text, place)
  validate(elementSchema(name), element, place)
  return toWellFormed(element) as Element<N>
}

/** A member that is no list. */
export function validateSingle(name: SingleMemberName, value: unknown): void {
  validate(SINGLE_MEMBERS[name], value, name)
}

interface MessageSchema {
  'x-message'?: string
  properties?: Record<string, MessageSchema>
}

/** What is wrong, and where: `items[3].price: must be a number from 0 to 10^12`. */
function errorMessage({ instancePath, keyword, params, message, parentSchema }: ErrorObject, place: string): string {
  const steps = instancePath.split('/').slice(1)
  const at = (...more: string[]) =>
    place + [...steps, ...more].map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  const schema = (parentSchema ?? {}) as MessageSchema
  if (keyword === 'additionalProperties') return `${at(params.additionalProperty)}: is not known here`
  if (keyword === 'required') {
    const missing = schema.properties?.[params.missingProperty]?.['x-message']
    return `${at(params.missingProperty)}: is required${missing ? `, ${missing}` : ''}`
  }
  return `${at()}: ${schema['x-message'] ?? message}`
}
