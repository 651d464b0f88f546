import { Type } from '@sinclair/typebox'
import { stub } from '../../db/tables.ts'
import { StrictBody } from '../../domains/shared/control_schemas.ts'
import { Int } from '../../domains/shared/world_file/fields.ts'
import { importNumbered, prefixErrors, prefixRejection } from '../../domains/shared/world_file/import_elements.ts'
import { mapPages, rowsById } from '../../domains/shared/world_file/operations.ts'
import { type WorldFileSection, worldFileList } from '../../domains/world_file.ts'
import { replaceSecrets } from '../../http/journal/redaction.ts'
import { insertStub, parseStub } from './operations.ts'
import { checkTotals, readAnswer, readMatch } from './read.ts'
import { MAX_STUBS, NewStub, present } from './schemas.ts'

const FileStub = StrictBody(
  {
    ...NewStub.properties,
    hits: Type.Optional(Int('Calls that it has answered', 0, undefined, { default: 0 })),
  },
  { title: 'FileStub', description: 'An answer of the world’s own to some calls' },
)

const allStubs = rowsById(stub)

const stubs = worldFileList({
  description: 'Answers to calls that the API does not have',
  element: FileStub,
  maxElements: MAX_STUBS,
  isOmittedIfEmpty: true,
  async import(context, list) {
    await importNumbered(context, list, { table: stub, firstId: 1 }, async (element, place, id) => {
      const { times = null, order = 0, override = false, access = 'public', proposed, hits = 0 } = element
      const match = prefixErrors(place, () => readMatch(element.match))
      const answer = await prefixRejection(place, readAnswer(element.answer))
      return insertStub(context.q, {
        ...match,
        ...{ answer, id, times, order, override, access, proposed, hits },
      })
    })
    await checkTotals(context.q)
  },
  export({ q, nameSecret }) {
    const withoutSecrets = <T>(value: T): T =>
      nameSecret ? replaceSecrets(value, (secret) => nameSecret('secret', secret)) : value
    return mapPages(allStubs(q), (row) => withoutSecrets(present(parseStub(row))))
  },
})

export const worldFile: WorldFileSection = { after: [], lists: { stubs }, tables: { stub: 'exported' } }
