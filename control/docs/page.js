// The document's own server is an example: what is tried here goes to where the page came from.
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
