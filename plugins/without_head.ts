import fp from 'fastify-plugin'
import { methodNotAllowed } from '../http/errors/errors.ts'
import { methodsOf, type Paths } from '../http/paths.ts'

/** Collects the paths, and answers HEAD, which Fastify adds to each GET, like every method that a path does not have. */
export default fp<{ paths: Paths }>(
  async (app, { paths }) => {
    app.addHook('onRoute', (route) => {
      if (route.method !== 'HEAD') return paths.add(route)
      Object.assign(route, {
        schema: {},
        // A method that does not exist is answered as for everyone.
        config: { ...route.config, isViewable: true },
        handler() {
          throw methodNotAllowed(methodsOf(paths.match(route.url)!).join(', '))
        },
      })
    })
  },
  { name: 'without head', dependencies: ['traffic'] },
)
