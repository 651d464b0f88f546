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

/** What a preflight asks for, beside the self-description. */
export const preflight = (methods: string[]): Record<string, string> => ({
  'access-control-allow-methods': methods.join(', '),
  'access-control-allow-headers': 'authorization, content-type, x-sandbox',
  'access-control-max-age': '86400',
})
