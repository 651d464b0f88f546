import Fastify, { type FastifyInstance } from 'fastify'
import { MAX_BODY_BYTES } from '../bodies.ts'
import { createErrorHandler, createFrameworkErrorHandler, type OnFault } from '../errors/error_handler.ts'
import { validatorCompiler } from '../errors/validation.ts'
import { createPaths } from '../paths.ts'
import { restoreMethod, rewriteUrl } from '../rewrite_url.ts'
import { serializerCompiler } from '../serialization.ts'
import { explainClientErrors, handleClientError, rejectConnect } from './client_errors.ts'
import { MAX_HEAD_BYTES } from './limits.ts'
import { createPipelines } from './pipelines.ts'

const MAX_CONNECTIONS = 10_000

const SERVER_LIMITS = {
  /** Ms between two requests of a connection: longer than the 60 s after which common balancers close it. */
  keepAliveTimeout: 72_000,
  /** No limit for a whole request: imports may take long. http/connections/traffic.ts ends requests that stall. */
  requestTimeout: 0,
  http: {
    maxHeaderSize: MAX_HEAD_BYTES,
    // Node would reject the request without a body: plugins/traffic.ts does.
    requireHostHeader: false,
    /** Ms. */
    headersTimeout: 15_000,
    connectionsCheckingInterval: 5000,
  },
}

/** Fastify does not load its own compilers when it has these. Its types describe only its own. */
const COMPILERS: object = { buildValidator: () => validatorCompiler, buildSerializer: () => serializerCompiler }

export interface ServerOptions {
  onFault: OnFault
  /** PEM; the server then speaks HTTPS. */
  tls?: { key: string; cert: string } | undefined
  /** Addresses and blocks of proxies whose `X-Forwarded-*` headers are believed. */
  trustedProxies?: string[] | undefined
  /** The base address at which clients reach the server, without a trailing slash; default: as each request says. */
  publicUrl?: string | undefined
  /** Refused answers have a header with the address of their explanation. */
  explain?: boolean | undefined
}

/** A Fastify server without plugins, with this project's parsers of addresses, validators, serializers and errors. */
export function createServer({ onFault, tls, trustedProxies, publicUrl, explain }: ServerOptions): FastifyInstance {
  const server: FastifyInstance = Fastify({
    ...SERVER_LIMITS,
    ...(tls && { https: { ...SERVER_LIMITS.http, handshakeTimeout: 10_000, key: tls.key, cert: tls.cert } }),
    ...(trustedProxies && { trustProxy: trustedProxies }),
    bodyLimit: MAX_BODY_BYTES,
    rewriteUrl,
    // A longer parameter gets the 404 of its resource, not the router's 414.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 * 1024 },
    schemaController: { compilersFactory: COMPILERS },
    return503OnClosing: false,
    // A second route for each GET would be a tenth of the start: see `rewriteUrl`.
    exposeHeadRoutes: false,
    clientErrorHandler: handleClientError,
    frameworkErrors: createFrameworkErrorHandler(onFault, explain ? (publicUrl ?? '') : undefined),
  })
  server.server.maxConnections = MAX_CONNECTIONS
  server.server.on('connect', rejectConnect)
  if (explain) explainClientErrors(server.server, publicUrl ?? '')
  const handle = createPipelines(server.routing)
  server.server.removeAllListeners('request').on('request', handle)
  // Node would answer 417 without a body.
  server.server.on('checkExpectation', handle)
  // Fastify rejects a QUERY without a content type before it knows whether a path has that method.
  server.addHttpMethod('QUERY', { overrideExisting: true })
  server.addHook('onRequest', restoreMethod)
  server.decorate('publicUrl', publicUrl)
  server.decorate('paths', createPaths())
  server.setErrorHandler(createErrorHandler(onFault))
  return server
}
