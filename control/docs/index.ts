import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { readAsset } from '../../db/assets.ts'
import { controlConfig, viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'

const config = controlConfig('Documentation', 'The OpenAPI document')

/** The OpenAPI document of the control plane. */
const document: FastifyPluginAsync = async (app) => {
  let content: Buffer | undefined
  app.get(
    '/openapi.json',
    {
      config: viewableUnmasked(config),
      schema: {
        summary: 'This document',
        response: { 200: Type.Unknown({ description: 'OpenAPI' }), ...errorResponses(404) },
      },
    },
    async (_request, reply) => {
      content ??= readAsset('openapi.sandbox.json')
      return reply.type('application/json; charset=utf-8').send(content)
    },
  )
}
export default document
