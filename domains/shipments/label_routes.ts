import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { standardError } from '../../http/errors/answered_error.ts'
import { badParameter } from '../../http/errors/errors.ts'
import {
  CommaList,
  errorResponses,
  OneOf,
  ResponseObject,
  StandardErrorBody,
  splitCommaLists,
} from '../shared/schemas.ts'
import { shape } from '../shared/shape.ts'
import { ZPL } from './assumptions.ts'
import { PRINT_LABELS } from './checks.ts'
import { labelsAsPdf } from './label_pdf.ts'
import { labelsAsZpl, zipOf } from './label_zpl.ts'
import { type Label, type PrintRefused, printOwn } from './labels.ts'

const MAX_LABELS = 50
const IDS_MESSAGE = `must be 1 to ${MAX_LABELS} shipment identifiers separated by commas`

const Labels = {
  name: 'Labels',
  description: 'What is stuck on parcels',
  id: '',
  family: 'Shipments',
  errorBody: (error: Partial<PrintRefused> & Parameters<typeof standardError>[0]) => ({
    ...standardError(error),
    ...(error.failed_shipments && { failed_shipments: error.failed_shipments }),
  }),
}

const LabelQuery = Type.Object({
  shipment_ids: CommaList({
    description: `Shipment identifiers, separated by commas, 1 to ${MAX_LABELS}`,
    examples: ['43000000001'],
    'x-message': IDS_MESSAGE,
    'x-rule': 'shipments.labels.ids',
    'x-path': '/shipments/:id',
  }),
  response_type: Type.Optional(
    OneOf(['pdf', 'zpl2'], { description: 'For paper, or for printers of labels; default pdf', examples: ['pdf'] }),
  ),
  savePdf: Type.Optional(Type.String({ description: '`Y`: the same as `response_type=pdf`', examples: ['Y'] })),
})
const FailedShipments = Type.Array(
  shape(
    {
      shipment_id: '43000000001',
      message: 'Shipment 43000000001 status is shipped',
      cause: 'NOT_PRINTABLE_STATUS',
      retry: false,
    },
    { notes: { retry: 'It may be printed later' } },
  ),
  { description: 'Those that cannot be printed' },
)
const PrintRefusal = ResponseObject(
  { ...StandardErrorBody.properties, failed_shipments: Type.Optional(FailedShipments) },
  { title: 'PrintRefusal', description: 'Why no label was printed' },
)
const file = { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }

const labels: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/shipment_labels',
    {
      config: { resource: Labels, access: 'token', checks: PRINT_LABELS, writes: true },
      schema: {
        operationId: 'printLabels',
        summary: 'Print the labels of shipments of the caller',
        description:
          'All or none. It is a GET, but prints: a shipment that is `ready_to_print` is `printed` then. A label can be printed again. `zpl2` answers a ZIP with a text.',
        querystring: LabelQuery,
        response: {
          200: {
            description: 'The labels, in the order of the ids',
            content: { 'application/pdf': file, 'application/zip': file, 'text/plain': file },
          },
          400: PrintRefusal,
          ...errorResponses(401),
        },
      },
    },
    async ({ world, caller, query: { shipment_ids, response_type = 'pdf' } }, reply) => {
      const ids = [...new Set(splitCommaLists(shipment_ids))]
      if (ids.length < 1 || ids.length > MAX_LABELS)
        throw badParameter('shipment_ids', IDS_MESSAGE, 'shipments.labels.ids')
      const printed = await world.tx((q) => printOwn(q, world, caller.user_id, ids))
      const { type, extension, content } = await fileOf(printed, response_type === 'pdf' ? 'pdf' : ZPL.of(world))
      reply.header('content-disposition', `attachment; filename=Etiqueta-${ids[0]}.${extension}`)
      return reply.type(type).send(content)
    },
  )
}
export default labels

async function fileOf(labels: readonly Label[], form: 'pdf' | 'zip' | 'text') {
  if (form === 'pdf') return { type: 'application/pdf', extension: 'pdf', content: await labelsAsPdf(labels) }
  const zpl = labelsAsZpl(labels)
  if (form === 'text') return { type: 'text/plain; charset=utf-8', extension: 'txt', content: Buffer.from(zpl) }
  return { type: 'application/zip', extension: 'zip', content: zipOf('Etiqueta de envio.txt', zpl) }
}
