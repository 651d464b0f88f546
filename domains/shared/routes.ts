import type { FastifyPluginAsync } from 'fastify'

/** One plugin that registers several where it is registered itself: their routes have its hooks. */
export const routesOf =
  <Options extends object>(...parts: FastifyPluginAsync<Options>[]): FastifyPluginAsync<Options> =>
  async (app, options) => {
    for (const part of parts) await part(app, options)
  }
