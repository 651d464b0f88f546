import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { unknownCall } from '../http/errors/validation_errors.ts'
import { isDescribed, methodsOf, type Path, type Paths } from '../http/paths.ts'
import { describePath } from '../http/self_description.ts'

interface DescribeOptions {
  paths: Paths
  /** Of the part of the API among all. */
  place: number
  /** It answers what no part of the API has; the others only add their paths. */
  isLast: boolean
  /** Answers a browser that opens an unknown path; undefined if it does not. */
  sendPage(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined
}

/**
 * Answers what no route takes: OPTIONS on a known path with its self-description, which satisfies a preflight too
 * [spec: http.options, http.options.preflight]; other methods with 405, unknown paths with 404.
 */
export default fp(
  async (app, { paths, place, isLast, sendPage }: DescribeOptions) => {
    app.addHook('onRoute', (route) => paths.add(route, place))
    if (!isLast) return

    app.setNotFoundHandler((request, reply) => {
      const path = paths.match(request.url)
      const page = path ? undefined : sendPage(request, reply)
      if (page) return page
      if (path && request.method === 'OPTIONS' && isDescribed(path))
        return paths.complete().then(() => sendDescription(paths, path, request, reply))
      throw unknownCall(request)
    })
  },
  { name: 'describe', dependencies: [] },
)

const DEFAULT_ALLOWED_HEADERS = 'authorization, content-type, x-sandbox'

function sendDescription(paths: Paths, path: Path, { headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const methods = methodsOf(path).join(', ')
  return reply
    .code(200)
    .headers({
      allow: methods,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': headers['access-control-request-headers'] ?? DEFAULT_ALLOWED_HEADERS,
      'access-control-max-age': '86400',
    })
    .send(describePath(paths, path))
}
