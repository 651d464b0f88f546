import { Type } from '@sinclair/typebox'
import { fault } from '../../db/tables.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Int } from '../../domains/shared/world_file/fields.ts'
import { importNumbered, prefixErrors } from '../../domains/shared/world_file/import_elements.ts'
import { mapPages, rowsById } from '../../domains/shared/world_file/operations.ts'
import { type WorldFileSection, worldFileList } from '../../domains/world_file.ts'
import { parseRule } from '../../http/faults/rules.ts'
import { readAction } from './action.ts'
import { insertRule, newRow } from './operations.ts'
import { MAX_RULES, NewFault, present } from './schemas.ts'

const { check_path: _, ...members } = NewFault.properties
const FileFault = StrictBody(
  {
    ...members,
    matched: Type.Optional(Int('Matching calls so far', 0, undefined, { default: 0 })),
    applied: Type.Optional(Int('Calls that were affected so far', 0, undefined, { default: 0 })),
  },
  { title: 'FileFault', description: 'A rule that makes calls fail' },
)

const allFaults = rowsById(fault)

const faults = worldFileList({
  description: 'Rules that make calls fail',
  element: FileFault,
  maxElements: MAX_RULES,
  async import(context, list) {
    const { q, users } = context
    await importNumbered(context, list, { table: fault, firstId: 1 }, async (element, place, id) => {
      const { user } = element.match ?? {}
      if (user !== undefined) users.resolve(`${place}.match.user`, user)
      const action = prefixErrors(place, () => readAction(element.action))
      return insertRule(q, newRow(context, id, { ...element, action }))
    })
  },
  export: ({ q }) =>
    mapPages(allFaults(q), (row) => {
      const { enabled, ...rule } = present(parseRule(row))
      return enabled ? rule : { ...rule, enabled }
    }),
})

export const worldFile: WorldFileSection = { after: ['users'], lists: { faults }, tables: { fault: 'exported' } }
