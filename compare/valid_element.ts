import { LISTS } from '../control/world_file/sections.ts'
import { validate } from '../control/world_file/validation.ts'
import type { Fact } from './facts.ts'

/** Values of members that an element must have. */
const DEFAULTS: Record<string, Fact> = {
  users: { site_id: 'MLA' },
  items: { title: 'Listing', price: 1000 },
  questions: { text: 'Question' },
  loans: { down_payment_amount: 1000, installments_number: 12, installments_amount: 100 },
}

/** An element that its list of a world file accepts: members that it cannot have are left out. Undefined: none can be. */
export function validElement(list: string, element: Fact): Fact | undefined {
  const { element: schema } = LISTS.get(list)!
  const members: Fact = {}
  for (const name of Object.keys(schema.properties)) if (element[name] !== undefined) members[name] = element[name]
  for (;;) {
    try {
      validate(schema, structuredClone(members), 'element')
      return members
    } catch (error) {
      const [, name = ''] = /^element\.(\w+)/.exec((error as Error).message) ?? []
      const byDefault: unknown = DEFAULTS[list]?.[name]
      if (members[name] === byDefault) return undefined
      if (byDefault === undefined) delete members[name]
      else members[name] = byDefault
    }
  }
}
