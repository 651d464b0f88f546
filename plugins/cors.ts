import fp from 'fastify-plugin'

/** Any page may read the emulated API, as the real one allows. */
export default fp(
  async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('access-control-allow-origin', '*')
      done()
    })
  },
  { name: 'cors' },
)

/** What a preflight is told beside the self-description: the methods of the path, and that any header may come. */
export const preflightHeaders = (
  methods: string[],
  headers = 'authorization, content-type, x-sandbox',
): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': headers,
  'access-control-max-age': '86400',
})
