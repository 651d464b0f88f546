import { Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { readAsset } from '../../db/assets.ts'
import { errorResponses } from '../../domains/shared/schemas.ts'

const Docs = { name: 'Documentation', description: 'The description of this API, for programs and for people' }

const docs: FastifyPluginAsync = async (app) => {
  const file = (url: string, name: string, type: string, summary: string, policy?: string) => {
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

  file('/openapi.json', 'openapi.json', 'application/json; charset=utf-8', 'The OpenAPI document')
  file(
    '/docs',
    'docs.page.html',
    'text/html; charset=utf-8',
    'Documentation page, on which calls can be tried',
    PAGE_POLICY,
  )
  file('/docs/page.js', 'docs.page.js', SCRIPT, 'Script of the page')
  file('/docs/page.css', 'docs.page.css', STYLE_SHEET, 'Style sheet of the page')
  file('/docs/swagger-ui.js', 'swagger-ui-bundle.js', SCRIPT, 'Swagger UI, which renders the document')
  file('/docs/swagger-ui.css', 'swagger-ui.css', STYLE_SHEET, 'Style sheet of Swagger UI')
}
export default docs

const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE_SHEET = 'text/css; charset=utf-8'

/** The page loads files from this server only, and calls no other. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
