import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection to the database that can fail. */
export interface CuttingProxy {
  port: number
  /** The next answers, so many, are not passed on: their connections close instead. */
  cutAnswers(count: number): void
  /** Passes nothing on, in both directions, until it is called with false. */
  pause(isPaused: boolean): void
  /** Connects to another port from now on, and closes all connections. */
  switchTo(target: number): void
  close(): void
}

export async function startCuttingProxy(port: number, host = '127.0.0.1'): Promise<CuttingProxy> {
  let target = port
  let cuts = 0
  let isPaused = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
      for (const socket of [client, upstream]) sockets.delete(socket)
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', end)
      if (isPaused) socket.pause()
    }
    client.on('data', (bytes) => upstream.write(bytes))
    upstream.on('data', (bytes) => {
      if (cuts === 0) return client.write(bytes)
      cuts--
      end()
    })
  }).listen(0, host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    cutAnswers(count) {
      cuts = count
    },
    pause(paused) {
      isPaused = paused
      for (const socket of sockets) {
        if (paused) socket.pause()
        else socket.resume()
      }
    },
    switchTo(port) {
      target = port
      for (const socket of sockets) socket.destroy()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
