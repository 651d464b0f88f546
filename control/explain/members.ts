import { isObject } from '../../http/bodies.ts'
import type { Schema } from './ladder.ts'

// Members of JSON by their names in errors: `text`, `delivery_ranges.week[0].to`.

type Step = string | number

const stepsOf = (name: string): Step[] =>
  [...name.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, member, index]) => member ?? Number(index))

function read(value: unknown, name: string): unknown {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name]
  let found = value
  for (const step of stepsOf(name)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined
    found = (found as Record<Step, unknown>)[step]
  }
  return found
}

/** A copy with another value; undefined removes the member or element. */
function write(value: unknown, name: string, replacement: unknown): unknown {
  const steps = isObject(value) && Object.hasOwn(value, name) ? [name] : stepsOf(name)
  return writeSteps(value, steps, replacement)
}

function writeSteps(value: unknown, [step, ...rest]: Step[], replacement: unknown): unknown {
  if (step === undefined) return replacement
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : []
    const element = writeSteps(list[step], rest, replacement)
    list.splice(step, 1, ...(element === undefined ? [] : [element]))
    return list
  }
  const member = writeSteps(isObject(value) ? value[step] : undefined, rest, replacement)
  // A new member is last, a replaced one stays where it was.
  const copy: Record<string, unknown> = isObject(value) ? { ...value } : {}
  if (member === undefined) delete copy[step]
  else copy[step] = member
  return copy
}

function schema(root: Schema | undefined, name: string): Schema | undefined {
  if (root?.properties?.[name]) return root.properties[name]
  let found = root
  for (const step of stepsOf(name)) {
    const choices = found?.anyOf ?? (found ? [found] : [])
    found = choices
      .map((one) => (typeof step === 'number' ? one.items : one.properties?.[step]))
      .find((one) => one !== undefined)
  }
  return found
}

export const memberAt = { read, write, schema }
