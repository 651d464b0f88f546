import type { FastifyInstance, RouteHandler, RouteShorthandOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Paths } from '../http/paths.ts'

/** Collects the paths, and keeps Fastify from adding a HEAD route to each GET. */
export default fp<{ paths: Paths }>(
  async (app, { paths }) => {
    const { get } = app
    app.get = function (this: FastifyInstance, url: string, options: RouteShorthandOptions, handler: RouteHandler) {
      return get.call(this, url, { ...options, exposeHeadRoute: false, handler })
    } as typeof get
    app.addHook('onRoute', (route) => paths.add(route))
  },
  { name: 'without head', dependencies: ['traffic'] },
)
