import type { FastifyPluginAsync } from 'fastify'
import type { Registry } from 'prom-client'
import { viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'
import type { MetricSources } from './prometheus.ts'
import { config } from './server.ts'

/** Prometheus metrics. The first call loads prom-client. */
const metrics: FastifyPluginAsync<MetricSources> = async (app, options) => {
  let registry: Promise<Registry> | undefined
  app.addHook('onClose', async () => (await registry)?.clear())

  app.get(
    '/metrics',
    {
      config: viewableUnmasked({ ...config, health: true }),
      schema: {
        summary: 'Metrics for Prometheus',
        description:
          'The version of the server; requests and durations by route, method and status; worlds; pending notifications; resources that the server uses. Routes are the patterns of this document, not URLs.',
        response: {
          200: {
            description: 'Metrics in the Prometheus text format',
            content: { 'text/plain': { schema: { type: 'string' } } },
          },
          ...errorResponses(401, 403),
        },
      },
    },
    async (_request, reply) => {
      registry ??= import('./prometheus.ts').then(({ createRegistry }) => createRegistry(options))
      const loadedRegistry = await registry
      return reply.type(loadedRegistry.contentType).send(await loadedRegistry.metrics())
    },
  )
}
export default metrics
