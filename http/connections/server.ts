import Fastify, { type FastifyInstance, type FastifyServerOptions, type RawRequestDefaultExpression } from 'fastify'
import { MAX_BODY_BYTES } from '../bodies.ts'
import { createErrorHandler, createFrameworkErrorHandler, type OnFault } from '../errors/error_handler.ts'
import { validatorCompiler } from '../errors/validation.ts'
import { createPaths, type Paths } from '../paths.ts'
import { stateOf } from '../request_state.ts'
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
export function createServer(options: ServerOptions): FastifyInstance {
  const { tls, publicUrl, explain } = options
  const server: FastifyInstance = Fastify({
    ...SERVER_LIMITS,
    ...(tls && { https: { ...SERVER_LIMITS.http, handshakeTimeout: 10_000, key: tls.key, cert: tls.cert } }),
    ...commonOptions(options),
    rewriteUrl,
    clientErrorHandler: handleClientError,
  })
  server.server.maxConnections = MAX_CONNECTIONS
  server.server.on('connect', rejectConnect)
  if (explain) explainClientErrors(server.server, publicUrl ?? '')
  const handle = createPipelines(server.routing)
  server.server.removeAllListeners('request').on('request', handle)
  // Node would answer 417 without a body.
  server.server.on('checkExpectation', handle)
  server.addHook('onRequest', restoreMethod)
  return prepare(server, createPaths(), options)
}

/**
 * Returns a function that makes a second server when it is first called; it closes with the first one. It does not listen:
 * the first one hands requests to its `routing`, with their addresses and states. `register` adds its plugins.
 */
export function createInnerServer(
  outer: FastifyInstance,
  options: ServerOptions,
  register: (inner: FastifyInstance) => void,
): () => Promise<FastifyInstance> {
  const genReqId = (raw: RawRequestDefaultExpression) => stateOf(raw).requestId
  const open = async () => {
    const inner = prepare(Fastify({ ...commonOptions(options), genReqId }), outer.paths, options)
    register(inner)
    try {
      await inner.ready()
      return inner
    } catch (error) {
      await inner.close()
      throw error
    }
  }
  let opened: Promise<FastifyInstance> | undefined
  outer.addHook('onClose', async () => (await opened?.catch(() => undefined))?.close())
  return () => {
    opened ??= open()
    return opened
  }
}

const commonOptions = ({ onFault, trustedProxies, publicUrl, explain }: ServerOptions): FastifyServerOptions => ({
  ...(trustedProxies && { trustProxy: trustedProxies }),
  bodyLimit: MAX_BODY_BYTES,
  // A longer parameter gets the 404 of its resource, not the router's 414.
  routerOptions: { ignoreTrailingSlash: true, maxParamLength: 1024 * 1024 },
  schemaController: { compilersFactory: COMPILERS },
  return503OnClosing: false,
  // A timer for each plugin; a start on a busy machine may take longer than the default of ten seconds.
  pluginTimeout: 0,
  // A second route for each GET would be a tenth of the start: see `rewriteUrl`.
  exposeHeadRoutes: false,
  frameworkErrors: createFrameworkErrorHandler(onFault, explain ? (publicUrl ?? '') : undefined),
})

function prepare(server: FastifyInstance, paths: Paths, { onFault, publicUrl }: ServerOptions): FastifyInstance {
  // Fastify rejects a QUERY without a content type before it knows whether a path has that method.
  server.addHttpMethod('QUERY', { overrideExisting: true })
  server.decorate('publicUrl', publicUrl)
  server.decorate('paths', paths)
  server.setErrorHandler(createErrorHandler(onFault))
  return server
}
