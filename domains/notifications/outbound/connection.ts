import http from 'node:http'
import https from 'node:https'

/** One keep-alive connection to one target: an agent that is used for one request at a time. */
export interface Connection {
  /** The key of the target. */
  key: string
  agent: http.Agent
  /** The IP address that it was last connected to. */
  address?: string
}

/** Below the 5 s after which many servers close an idle connection: one that is about to be closed is not reused. */
const IDLE_MS = 4000

export const isHttps = (url: URL): boolean => url.protocol === 'https:'

/** The socket is opened by the first request. */
export const createConnection = (key: string, url: URL): Connection => ({
  key,
  agent: new (isHttps(url) ? https : http).Agent({ keepAlive: true, timeout: IDLE_MS }),
})

/** Whether a socket is open and idle, so that the next request reuses it. */
export const isReusable = ({ agent }: Connection): boolean => Object.keys(agent.freeSockets).length > 0

/** Connections kept for reuse, the oldest first; receivers may have closed some of them meanwhile. */
export function createIdleConnections() {
  const idle = new Set<Connection>()
  const close = (connection: Connection) => {
    idle.delete(connection)
    connection.agent.destroy()
  }
  return {
    count: () => idle.size,
    /** Keeps a connection after a request, if its socket is still open. */
    add(connection: Connection): void {
      if (isReusable(connection)) idle.add(connection)
    },
    /** The open connection to a target that was used last. */
    take(key: string): Connection | undefined {
      const kept = [...idle].findLast((connection) => connection.key === key && isReusable(connection))
      if (kept) idle.delete(kept)
      return kept
    },
    closeOldest(): void {
      const [oldest] = idle
      if (oldest) close(oldest)
    },
    closeAll(): void {
      for (const connection of idle) close(connection)
    },
  }
}
