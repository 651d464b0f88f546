/** The document of the emulated API, or that of the control plane. */
export type Plane = 'api' | 'control'

/** Descriptions of the statuses that any operation may have. */
export const STATUSES: Record<string, string> = {
  400: 'The address, a parameter, the body or the state of the thing does not allow it; `error` says which',
  401: 'No token where one is needed, or one that is not valid',
  403: 'It belongs to another user',
  404: 'There is no such thing',
  410: 'It was there, and is over',
  413: 'The body has more than 1 MiB',
}

/** Title and description of each document, and the components that no route declares. */
export const INFO: Record<Plane, { title: string; description: string; components: object }> = {
  api: {
    title: 'mercadito',
    description:
      'A sandbox that speaks a seller marketplace’s API: contact statistics, questions and answers, Flex same-day delivery, pre-approved credits, and what they need. Compatible with Mercado Libre’s public seller API, not affiliated with it.\n\nEvery GET takes `attributes` (only those members are answered) and `callback` (JSONP: status 200 and a call of that function with status, headers and body). Every path answers OPTIONS with a description of itself. The addresses may stand behind `/w/{world}`.',
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The access token of a user' },
        access_token: {
          type: 'apiKey',
          in: 'query',
          name: 'access_token',
          description: 'The same token, in the address',
        },
      },
      parameters: {
        attributes: {
          name: 'attributes',
          in: 'query',
          description: 'Members to answer, separated by commas; of each element where the answer is a list',
          schema: { type: 'string' },
          examples: { id: { value: 'id' } },
        },
        callback: {
          name: 'callback',
          in: 'query',
          description: 'JSONP: the function to call. The answer then has status 200 and bears the real one inside',
          schema: { type: 'string', maxLength: 128 },
          examples: { show: { value: 'show' } },
        },
      },
    },
  },
  control: {
    title: 'mercadito: control plane',
    description:
      'Calls that no marketplace offers: create worlds, move their clocks, create any state in them, and read which calls were made. Every address also works behind `/w/{world}`; without it, the call is for the default world. Bodies are JSON and must have no members other than those listed. Calls are accepted from this machine (the Host header must name it) or with the admin token, and never from a web page of another origin.',
    components: {
      securitySchemes: {
        admin: {
          type: 'http',
          scheme: 'bearer',
          description: 'The value of --admin-token that the server was started with',
        },
        viewer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The token in the file of --viewer-token-file: for calls that change nothing. Secrets in their answers are `***`',
        },
      },
    },
  },
}
