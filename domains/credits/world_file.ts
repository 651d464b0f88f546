import { Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { OneOf } from '../shared/schemas.ts'
import { Flag, ItemRef, OptionalInstant, TextOrNull, UserRef } from '../shared/world_file/fields.ts'
import { tableList } from '../shared/world_file/table_list.ts'
import type { WorldFileSection } from '../world_file.ts'
import { nextLeadId } from './operations.ts'
import { terms } from './schemas.ts'
import { credit_lead, FINANCIAL_ENTITIES, LEAD_STATUSES } from './tables.ts'

const FileLoan = StrictBody(
  {
    id: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
        description: 'UUID in lower case; default: a new one',
        'x-message': 'must be a UUID in lower case',
      }),
    ),
    item_id: ItemRef,
    buyer_id: UserRef('Buyer'),
    ...terms,
    proposal_id: TextOrNull('Identifier that the entity assigned', 100),
    financial_entity_id: Type.Optional(
      OneOf([...FINANCIAL_ENTITIES], { description: 'Financial entity', default: 'MERCADO_PAGO' }),
    ),
    status: Type.Optional(OneOf([...LEAD_STATUSES], { description: 'State of the credit', default: 'in_analysis' })),
    date_created: OptionalInstant('Time of creation; default: world time'),
    expired: Flag('Whether it was expired early'),
  },
  { title: 'FileLoan', description: 'A lead of a pre-approved credit' },
)

const loans = tableList(credit_lead, {
  description: 'Leads of pre-approved credits',
  element: FileLoan,
  maxElements: 1_000_000,
  ids: (context) => () => nextLeadId(context.q, context),
  complete: ({ items }, { item_id }, place) => ({ seller_id: items.resolve(place, item_id).seller_id }),
})

export const worldFile: WorldFileSection = {
  after: ['users', 'items', 'contacts'],
  lists: { loans },
  tables: { credit_lead: 'exported' },
}
