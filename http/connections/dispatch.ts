import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { standardError } from '../errors/answered_error.ts'
import type { OnFault } from '../errors/error_handler.ts'
import { internalError } from '../errors/errors.ts'
import { PathPrefixes } from '../path_prefixes.ts'
import { stateOf } from '../request_state.ts'
import { rewriteUrl } from '../rewrite_url.ts'

/** A server that its first request opens. */
export interface LazyServer {
  /** Undefined until it is open. */
  opened: FastifyInstance | undefined
  /** Resolves with the same server each time. Rejects if a plugin of it does not start. */
  open(): Promise<FastifyInstance>
}

/** The servers that have the paths. */
export class Parts {
  readonly #byPath = new PathPrefixes<LazyServer | null>()
  readonly #emulated: LazyServer[] = []
  #rest: LazyServer | undefined

  /** `ownPaths`: with what the paths of the server that listens begin. */
  constructor(ownPaths: readonly string[]) {
    for (const path of ownPaths) this.#byPath.add(path, null)
  }

  /** A server of paths that begin so. */
  add(server: LazyServer, paths: readonly string[]): void {
    for (const path of paths) this.#byPath.add(path, server)
  }

  /** A part of the emulated API; without paths it has all that no other has. */
  addEmulated(server: LazyServer, paths?: readonly string[]): void {
    this.#emulated.push(server)
    if (paths) this.add(server, paths)
    else this.#rest = server
  }

  get rest(): LazyServer | undefined {
    return this.#rest
  }

  /** Undefined: the server that listens has it. */
  readonly find = (target: string): LazyServer | undefined => {
    const found = this.#byPath.find(target)
    return found === undefined ? this.#rest : (found ?? undefined)
  }

  /** Opens all parts of the emulated API. */
  readonly open = (): Promise<FastifyInstance[]> => Promise.all(this.#emulated.map((server) => server.open()))
}

/** Hands requests to the server that `find` returns for their paths; false if there is none. */
export const createDispatch =
  (find: (target: string) => LazyServer | undefined, onFault: OnFault) =>
  (raw: IncomingMessage & { originalUrl?: string }, response: ServerResponse): boolean => {
    const target = rewriteUrl(raw)
    const server = find(target)
    if (!server) return false
    const state = stateOf(raw)
    // As Fastify has it where it rewrites the address itself.
    raw.originalUrl ??= raw.url!
    raw.url = target
    if (state.isHead) raw.method = 'GET'
    if (server.opened) server.opened.routing(raw, response)
    else
      server.open().then(
        ({ routing }) => {
          // Its client is gone: no event would end the request.
          if (!response.destroyed) routing(raw, response)
        },
        (error) => {
          onFault(error)
          response
            .writeHead(500, { 'content-type': 'application/json; charset=utf-8' })
            .end(JSON.stringify(standardError(internalError())))
        },
      )
    return true
  }
