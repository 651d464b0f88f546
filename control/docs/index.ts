import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { readAsset } from '../../db/assets.ts'
import { controlCall, controlConfig, viewableUnmasked } from '../../domains/shared/control_schemas.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'

const config = controlConfig('Documentation', 'The OpenAPI document')

/** The OpenAPI document of the control plane. */
const document: FastifyPluginAsync = async (app) => {
  let content: Buffer | undefined
  app.get(
    '/openapi.json',
    controlCall(viewableUnmasked(config), {
      summary: 'This document',
      answer: Type.Unknown({ description: 'OpenAPI' }),
    }),
    async (_request, reply) => {
      content ??= readAsset('openapi.sandbox.json')
      return reply.type(JSON_TYPE).send(content)
    },
  )
}
export default document

const Docs = { name: 'Documentation', description: 'The description of this API, for programs and for people' }

interface ServedFile {
  url: string
  /** In the assets. */
  name: string
  type: string
  summary: string
  policy?: string
}

const JSON_TYPE = 'application/json; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE_SHEET = 'text/css; charset=utf-8'

/** The page loads files from this server only, and calls no other. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** With what its paths begin. */
export const DOCS_PATHS = ['openapi.json', 'docs']

const FILES: ServedFile[] = [
  { url: '/openapi.json', name: 'openapi.json', type: JSON_TYPE, summary: 'The OpenAPI document' },
  {
    url: '/docs',
    name: 'docs.page.html',
    type: 'text/html; charset=utf-8',
    summary: 'Documentation page, on which calls can be tried',
    policy: PAGE_POLICY,
  },
  { url: '/docs/page.js', name: 'docs.page.js', type: SCRIPT, summary: 'Script of the page' },
  { url: '/docs/page.css', name: 'docs.page.css', type: STYLE_SHEET, summary: 'Style sheet of the page' },
  {
    url: '/docs/swagger-ui.js',
    name: 'swagger-ui-bundle.js',
    type: SCRIPT,
    summary: 'Swagger UI, which renders the document',
  },
  { url: '/docs/swagger-ui.css', name: 'swagger-ui.css', type: STYLE_SHEET, summary: 'Style sheet of Swagger UI' },
]

/** The OpenAPI document of the emulated API, and a page that shows both documents. */
export const docs: FastifyPluginAsync = async (app) => {
  for (const { url, name, type, summary, policy } of FILES) {
    let content: Buffer | undefined
    app.get(
      url,
      {
        config: { resource: Docs, access: 'public', projects: true, internal: true },
        schema: {
          summary,
          hide: url !== '/openapi.json',
          response: { 200: Type.Unknown({ description: summary }), ...errorResponses(401) },
        },
      },
      async (_request, reply) => {
        content ??= readAsset(name)
        if (policy) reply.header('content-security-policy', policy)
        return reply.type(type).send(content)
      },
    )
  }
}
