import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { MAX_BODY_BYTES } from '../bodies.ts'
import { standardError } from '../errors/answered_error.ts'
import { createErrorHandler, createFrameworkErrorHandler, type OnFault } from '../errors/error_handler.ts'
import { internalError } from '../errors/errors.ts'
import { validatorCompiler } from '../errors/validation.ts'
import { createPaths } from '../paths.ts'
import { stateOf } from '../request_state.ts'
import { restoreMethod, rewriteUrl } from '../rewrite_url.ts'
import { serializerCompiler } from '../serialization.ts'
import { explainClientErrors, handleClientError, rejectConnect } from './client_errors.ts'
import { MAX_HEAD_BYTES } from './limits.ts'
import type { LazyServer, Parts } from './parts.ts'
import { createPipelines } from './pipelines.ts'

const MAX_CONNECTIONS = 10_000
/** The server that listens has no route for it. */
const NO_PATH = '/'

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

/**
 * A Fastify server without plugins, with this project's parsers of addresses, validators, serializers and errors. Most requests go
 * on to the server of their part.
 */
export function createServer(options: ServerOptions, parts: Parts): FastifyInstance {
  const { tls, publicUrl, explain } = options
  const requestIdOf = createRequestIds()
  const server: FastifyInstance = Fastify({
    ...SERVER_LIMITS,
    ...(tls && { https: { ...SERVER_LIMITS.http, handshakeTimeout: 10_000, key: tls.key, cert: tls.cert } }),
    ...commonOptions(options),
    genReqId: requestIdOf,
    rewriteUrl(raw) {
      const target = rewriteUrl(raw as IncomingMessage)
      // Parts read their addresses themselves, also those that the router would reject.
      return parts.find(target) ? NO_PATH : target
    },
    clientErrorHandler: handleClientError,
  })
  server.server.maxConnections = MAX_CONNECTIONS
  server.server.on('connect', rejectConnect)
  if (explain) explainClientErrors(server.server, publicUrl ?? '')
  let isClosing = false
  const handle = createPipelines((raw, response) => {
    // Parts do not know it yet.
    if (isClosing) response.setHeader('connection', 'close')
    const target = rewriteUrl(raw)
    const part = parts.find(target)
    if (part) part.handle(raw, response, target)
    else server.routing(raw, response)
  })
  server.server.removeAllListeners('request').on('request', handle)
  // Node would answer 417 without a body.
  server.server.on('checkExpectation', handle)
  server.addHook('onRequest', ({ raw, is404 }, reply, done) => {
    if (!is404) return done()
    reply.hijack()
    const target = rewriteUrl(raw)
    // A request without a connection, or to a path that only begins like one of this server.
    const part = parts.find(target) ?? parts.rest
    part!.handle(raw, reply.raw, target)
  })
  const closing = new Set<() => void>()
  server.addHook('preClose', (done) => {
    isClosing = true
    for (const close of closing) close()
    done()
  })
  server.addHook('onRequest', restoreMethod)
  return prepare(server, { paths: createPaths(parts.open), closing, requestIdOf }, options)
}

/**
 * A second server, which its first request opens; it closes with the first one. `register` adds its plugins. `next` gets what it
 * has no route for.
 */
export function createInnerServer(
  outer: FastifyInstance,
  options: ServerOptions,
  register: (inner: FastifyInstance) => void,
  next?: LazyServer,
): LazyServer {
  let opened: FastifyInstance | undefined
  let starting: Promise<FastifyInstance> | undefined
  const start = async () => {
    const inner = prepare(Fastify({ ...commonOptions(options), genReqId: outer.requestIdOf }), outer, options)
    inner.addHook('onRequest', (request, reply, done) => {
      if (!request.is404 || !next) return restoreMethod.call(inner, request, reply, done)
      reply.hijack()
      next.handle(request.raw, reply.raw, request.url)
    })
    register(inner)
    try {
      await inner.ready()
    } catch (error) {
      await inner.close()
      throw error
    }
    opened = inner
    return inner
  }
  const open = () => {
    starting ??= start()
    return starting
  }
  outer.addHook('onClose', async () => (await starting?.catch(() => undefined))?.close())
  return {
    open,
    handle(raw: IncomingMessage & { originalUrl?: string }, response, target) {
      // As Fastify has it where it rewrites the address itself.
      raw.originalUrl ??= raw.url!
      raw.url = target
      if (stateOf(raw).isHead) raw.method = 'GET'
      if (opened) return opened.routing(raw, response)
      open().then(
        ({ routing }) => {
          // Its client is gone: no event would end the request.
          if (!response.destroyed) routing(raw, response)
        },
        (error) => {
          options.onFault(error)
          response
            .writeHead(500, { 'content-type': 'application/json; charset=utf-8' })
            .end(JSON.stringify(standardError(internalError())))
        },
      )
    },
  }
}

/** Of the servers of an app together. A request that one hands to another keeps its id. */
function createRequestIds() {
  let last = 0
  return (raw: IncomingMessage): string => {
    const state = stateOf(raw)
    if (state.requestId === '') state.requestId = `req-${(++last).toString(36)}`
    return state.requestId
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

/** What the servers of an app have in common. */
type Common = Pick<FastifyInstance, 'paths' | 'closing' | 'requestIdOf'>

function prepare(
  server: FastifyInstance,
  { paths, closing, requestIdOf }: Common,
  { onFault, publicUrl }: ServerOptions,
): FastifyInstance {
  // Fastify rejects a QUERY without a content type before it knows whether a path has that method.
  server.addHttpMethod('QUERY', { overrideExisting: true })
  server.decorate('publicUrl', publicUrl)
  server.decorate('paths', paths)
  server.decorate('closing', closing)
  server.decorate('requestIdOf', requestIdOf)
  server.setErrorHandler(createErrorHandler(onFault))
  return server
}
