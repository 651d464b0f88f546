import { Type } from '@sinclair/typebox'
import { StrictBody } from '../shared/control_schemas.ts'
import { utcOrNull } from '../shared/instants.ts'
import { OneOf } from '../shared/schemas.ts'
import { Amount, Flag, Int, ItemRef, OptionalInstant, TextOrNull, UserRef } from '../shared/world_file/fields.ts'
import { importIdentified } from '../shared/world_file/import_elements.ts'
import { insertInto } from '../shared/world_file/operations.ts'
import { mapPages, rowsById } from '../shared/world_file/queries.ts'
import { type WorldFileSection, worldFileList } from '../world_file.ts'
import { nextLeadId } from './operations.ts'
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
    down_payment_amount: Amount('Entry amount'),
    installments_number: Int('Number of installments', 1, 1000),
    installments_amount: Amount('Amount of one installment'),
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

const insertLead = insertInto(credit_lead)
const allLeads = rowsById(credit_lead)

const loans = worldFileList({
  description: 'Leads of pre-approved credits',
  element: FileLoan,
  maxElements: 1_000_000,
  async import(context, list) {
    const { q, users, items } = context
    await importIdentified(
      list,
      () => nextLeadId(q, context),
      async (loan, place, id) => {
        const { item_id } = loan
        const { seller_id } = items.resolve(place, item_id)
        return insertLead(q, {
          id,
          item_id,
          seller_id,
          buyer_id: users.resolve(`${place}.buyer_id`, loan.buyer_id),
          down_payment_amount: loan.down_payment_amount,
          installments_number: loan.installments_number,
          installments_amount: loan.installments_amount,
          proposal_id: loan.proposal_id!,
          financial_entity_id: loan.financial_entity_id!,
          status: loan.status!,
          date_created: context.instantOf(`${place}.date_created`, loan.date_created),
          expired: loan.expired ? 1 : 0,
        })
      },
    )
  },
  export: ({ q }) =>
    mapPages(allLeads(q), ({ seller_id: _, date_created, expired, ...row }) => ({
      ...row,
      date_created: utcOrNull(date_created),
      expired: expired === 1,
    })),
})

export const worldFile: WorldFileSection = {
  after: ['users', 'items', 'contacts'],
  lists: { loans },
  tables: { credit_lead: 'exported' },
}
