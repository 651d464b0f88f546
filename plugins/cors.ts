import fp from 'fastify-plugin'

/** Lets any page read the emulated API, as the real one does [spec: http.cors]. */
export default fp(
  async (app) => {
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('access-control-allow-origin', '*')
      done()
    })
  },
  { name: 'cors', dependencies: ['traffic'] },
)
