import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { PathPrefixes } from '../path_prefixes.ts'

/** A server that does not listen, and that its first request opens. */
export interface LazyServer {
  /** Resolves with the same server each time. Rejects if a plugin of it does not start. */
  open(): Promise<FastifyInstance>
  /** Answers a request of the server that listens; `target`: its path and query. */
  handle(raw: IncomingMessage, response: ServerResponse, target: string): void
}

/** The servers that have the paths. */
export class Parts {
  readonly #byPath = new PathPrefixes<LazyServer | null>()
  readonly #emulated: LazyServer[] = []
  /** Has what no other part has. */
  rest: LazyServer | undefined

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
    else this.rest = server
  }

  /** Undefined: the server that listens has it. */
  find(target: string): LazyServer | undefined {
    const found = this.#byPath.find(target)
    return found === undefined ? this.rest : (found ?? undefined)
  }

  /** Opens all parts of the emulated API. */
  readonly open = (): Promise<FastifyInstance[]> => Promise.all(this.#emulated.map((server) => server.open()))
}
