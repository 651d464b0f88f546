// The server in the document is an example: calls from this page go to the origin that served it.
void fetch('openapi.json')
  .then((answer) => answer.json())
  .then((spec) =>
    SwaggerUIBundle({
      spec: { ...spec, servers: [{ url: new URL('.', location.href).href.replace(/\/$/, '') }] },
      dom_id: '#page',
      deepLinking: true,
      persistAuthorization: true,
      validatorUrl: null,
      docExpansion: 'none',
      filter: true,
    }),
  )
