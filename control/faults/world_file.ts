import { Type } from '@sinclair/typebox'
import { insertInto } from '../../db/rows.ts'
import { fault } from '../../db/tables.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Int } from '../../domains/shared/world_file/fields.ts'
import { importNumbered, prefixErrors } from '../../domains/shared/world_file/import_elements.ts'
import { mapPages, rowsById } from '../../domains/shared/world_file/operations.ts'
import { type WorldFileSection, worldFileList } from '../../domains/world_file.ts'
import { readAction } from './action.ts'
import { MAX_RULES, NewFault, present, seedOf, withoutTrailingSlash } from './schemas.ts'

const { check_path: _, ...members } = NewFault.properties
const FileFault = StrictBody(
  {
    ...members,
    matched: Type.Optional(Int('Matching calls so far', 0, undefined, { default: 0 })),
    applied: Type.Optional(Int('Calls that were affected so far', 0, undefined, { default: 0 })),
  },
  { title: 'FileFault', description: 'A rule that makes calls fail' },
)

const insertFault = insertInto(fault)
const allFaults = rowsById(fault)

const faults = worldFileList({
  description: 'Rules that make calls fail',
  element: FileFault,
  maxElements: MAX_RULES,
  async import(context, list) {
    const { q, users } = context
    await importNumbered(context, list, fault, 1, async (element, place, id) => {
      const { match = {}, seed, probability = 1, times = null, matched = 0, applied = 0, enabled = true } = element
      if (match.user !== undefined) users.resolve(`${place}.match.user`, match.user)
      const action = JSON.stringify(prefixErrors(place, () => readAction(element.action)))
      return insertFault(q, {
        id,
        method: match.method ?? null,
        path: match.path === undefined ? null : withoutTrailingSlash(match.path),
        user_id: match.user ?? null,
        action,
        probability,
        seed: seed ?? seedOf(context, id),
        times,
        matched,
        applied,
        enabled: enabled ? 1 : 0,
      })
    })
  },
  export: ({ q }) =>
    mapPages(allFaults(q), (row) => {
      const { enabled, ...rule } = present({ ...row, action: JSON.parse(row.action), enabled: row.enabled === 1 })
      return enabled ? rule : { ...rule, enabled }
    }),
})

export const worldFile: WorldFileSection = { after: ['users'], lists: { faults }, tables: { fault: 'exported' } }
