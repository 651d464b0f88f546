import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAsset } from '../../db/assets.ts'
import { escapeHtml } from '../../http/html.ts'
import { stateOf } from '../../http/request_state.ts'
import { baseUrlOf } from '../worlds/index.ts'

let template: string | undefined

/**
 * Answers a browser that opens the base address with a page of links; undefined for every other request. Browsers do not
 * let scripts set this header, and programs do not send it [spec: http.errors.front_page].
 */
export function sendFrontPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { method, url, originalUrl, headers, world } = request
  // Without the slash in `/w/2/`, the relative links would lead elsewhere.
  if (method !== 'GET' || url !== '/' || !originalUrl.endsWith('/')) return undefined
  if (headers['sec-fetch-dest'] !== 'document') return undefined
  stateOf(request.raw).isInternal = true
  template ??= readAsset('docs.front.html').toString()
  const base = escapeHtml(baseUrlOf(request, world.id))
  const page = template.replaceAll('{{url}}', () => base).replaceAll('{{world}}', String(world.id))
  return reply
    .code(200)
    .headers({ 'content-security-policy': POLICY, 'cache-control': 'no-store', vary: 'sec-fetch-dest' })
    .type('text/html; charset=utf-8')
    .send(page)
}

/** The page has a style sheet and links, and no script. */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
