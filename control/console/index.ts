import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, RouteGenericInterface } from 'fastify'
import { readAsset } from '../../db/assets.ts'
import { keptFor } from '../../db/kept.ts'
import { controlConfig } from '../../domains/shared/control_schemas.ts'
import { routeNotFound } from '../../http/errors/errors.ts'
import { stateOf } from '../../http/request_state.ts'
import { CONTROL_PREFIX } from '../../http/rewrite_url.ts'

const config = controlConfig('Console', 'The pages of the console')

/** The browser must not guess types, nor send the address of a page of the console elsewhere. */
const SAFE_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' }

/**
 * The console: a page and its files, the same for every world. They contain no data and need no token, so that a link
 * from elsewhere opens; the page reads all data with control calls.
 */
const consoleRoutes: FastifyPluginAsync = async (app) => {
  // Hidden from the OpenAPI document: these are pages, not calls.
  const options = { config, schema: { hide: true } }

  // Relative addresses are right behind any proxy and path prefix.
  app.get('/', options, (request, reply) =>
    redirect(reply, hasTrailingSlash(request) ? 'console/' : `${CONTROL_PREFIX.slice(1)}/console/`),
  )

  // Without the slash the browser would look for the files one level higher.
  app.get('/console', options, (request, reply) =>
    hasTrailingSlash(request) ? sendPage(reply) : redirect(reply, 'console/'),
  )

  app.get<{ Params: { file: string } }>('/console/:file', options, sendFile)
}
export default consoleRoutes

/**
 * Sends a browser that opens the base address to the console; undefined for every other request. Programs accept anything,
 * or name JSON first [spec: http.errors.front_page].
 */
export function redirectToConsole(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  const { method, url, originalUrl, headers } = request
  if (method !== 'GET' || url !== '/' || originalUrl.includes('?')) return undefined
  if (!/^text\/html\b/i.test(headers.accept ?? '')) return undefined
  stateOf(request.raw).isInternal = true
  // Without the slash `w/2` is relative to `w/`.
  const last = originalUrl.slice(originalUrl.lastIndexOf('/') + 1)
  return redirect(reply.header('vary', 'accept'), `${last && `${last}/`}${CONTROL_PREFIX.slice(1)}/console/`)
}

const hasTrailingSlash = ({ originalUrl }: FastifyRequest): boolean => originalUrl.split('?', 1)[0]!.endsWith('/')

const redirect = (reply: FastifyReply, location: string): FastifyReply =>
  reply.code(302).headers({ 'cache-control': 'no-store', location }).send()

/** The page, where the nonce is left out. */
const pageOf = keptFor((_: FastifyInstance) => readAsset('console.index.html').toString().split('{{nonce}}'))

/** JSONP makes every address of this server a possible script, so that only a nonce can allow the right one. */
function sendPage(reply: FastifyReply): FastifyReply {
  const nonce = randomBytes(18).toString('base64')
  return reply
    .headers({ ...SAFE_HEADERS, 'content-security-policy': policy(nonce), 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(pageOf(reply.server).join(nonce))
}

const policy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' }

/** The files of the build with their ETags. */
let files: Map<string, string> | undefined

type FileRequest = FastifyRequest<RouteGenericInterface & { Params: { file: string } }>

/** The assets are gzipped. */
function sendFile({ params: { file }, headers }: FileRequest, reply: FastifyReply): FastifyReply {
  files ??= new Map(Object.entries(JSON.parse(readAsset('console.files.json').toString())))
  const etag = files.get(file)
  if (etag === undefined) throw routeNotFound()
  reply.headers({ ...SAFE_HEADERS, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (headers['if-none-match'] === etag) return reply.code(304).send()
  const content = readAsset(`${file}.gz`)
  reply.type(TYPES[file.slice(file.lastIndexOf('.') + 1)]!)
  return acceptsGzip(headers['accept-encoding'])
    ? reply.header('content-encoding', 'gzip').send(content)
    : reply.send(gunzipSync(content))
}

const acceptsGzip = (accepted: string | string[] = ''): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|$))/i.test(String(accepted))
