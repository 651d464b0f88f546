import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { isTooDeep, MAX_LEVELS, toWellFormed } from '../../domains/shared/texts.ts'
import { badRequest } from '../../http/errors/control_errors.ts'
import { SETTINGS } from '../../http/errors/validation.ts'
import { parseJson } from './scanner.ts'

let ajv: Ajv2020 | undefined

/** Compiled on first use: most servers import no file. */
const validators = new Map<object, ValidateFunction>()

function validatorOf(schema: object): ValidateFunction {
  ajv ??= new Ajv2020({ ...SETTINGS, keywords: ['x-message', 'x-path'] })
  const validator = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, validator)
  return validator
}

export const isValid = (schema: object, value: unknown): boolean => validatorOf(schema)(value)

/** Validates a value and fills in its defaults; 400 with the place of the first error. */
export function validate(schema: object, value: unknown, place: string): void {
  const validator = validatorOf(schema)
  if (!validator(value)) throw badRequest(errorMessage(validator.errors![0]!, place))
}

/** Parses and validates the text of a list's element. */
export function parseElement(schema: object, text: string, place: string): Record<string, unknown> {
  const element = parseJson(text, place)
  validate(schema, element, place)
  // Only an escape can write half a surrogate pair.
  if (!text.includes('\\u')) return element as Record<string, unknown>
  if (isTooDeep(element, MAX_ELEMENT_LEVELS))
    throw badRequest(`${place}: must have at most ${MAX_ELEMENT_LEVELS} levels`)
  return toWellFormed(element) as Record<string, unknown>
}
/** Limits recursion, so that it cannot exhaust the stack; members with any JSON value have lower limits. */
const MAX_ELEMENT_LEVELS = 2 * MAX_LEVELS

interface MessageSchema {
  'x-message'?: string
  properties?: Record<string, MessageSchema>
}

/** Such as `items[3].price: must be a number from 0 to 10^12`. */
function errorMessage({ instancePath, keyword, params, message, parentSchema }: ErrorObject, place: string): string {
  const steps = instancePath.split('/').slice(1)
  const at = (...more: string[]) =>
    place + [...steps, ...more].map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('')
  const schema = (parentSchema ?? {}) as MessageSchema
  if (keyword === 'additionalProperties') return `${at(params.additionalProperty)}: is an unknown member`
  if (keyword === 'required') {
    const missing = schema.properties?.[params.missingProperty]?.['x-message']
    return `${at(params.missingProperty)}: is required${missing ? `, ${missing}` : ''}`
  }
  return `${at()}: ${schema['x-message'] ?? message}`
}
