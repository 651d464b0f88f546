import fp from 'fastify-plugin'

/** Rejects query parameters that the schema of a route does not name: a misspelled filter would match everything. */
export default fp(
  async (app) => {
    app.addHook('onRoute', (route) => {
      const { schema } = route
      if (schema?.querystring)
        route.schema = { ...schema, querystring: { ...schema.querystring, additionalProperties: false } }
    })
  },
  { name: 'strict queries', dependencies: [] },
)
