import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { openSecureTunnel } from '../test/support/proxied.ts'
import { at } from '../tools/root.ts'

/** A program below `mercadito exec --intercept` that gives its place to the benchmark. */
export interface Intercepted {
  token: string
  sellerId: number
  /** A connection to the API, through the proxy and TLS. */
  open(): Promise<Socket>
  stop(): Promise<{ code: number | null; errors: string }>
}

export const API_HOST = 'api.mercadolibre.com'
const PROGRAM = 'console.log(JSON.stringify(process.env)); process.stdin.resume()'

/** Starts a proxy in front of a new world of a server. */
export async function startIntercepted(url: string): Promise<Intercepted> {
  const args = ['exec', '--url', url, '--scenario', 'empty', '--intercept', '--', process.execPath, '-e', PROGRAM]
  const child = spawn(process.execPath, [at('dist/mercadito.js'), ...args])
  let errors = ''
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const [line] = await once(createInterface(child.stdout), 'line')
  const env = JSON.parse(line) as Record<
    'HTTPS_PROXY' | 'SSL_CERT_FILE' | 'MERCADITO_TOKEN' | 'MERCADITO_SELLER_ID',
    string
  >
  const port = Number(new URL(env.HTTPS_PROXY).port)
  const ca = readFileSync(env.SSL_CERT_FILE)
  return {
    token: env.MERCADITO_TOKEN,
    sellerId: Number(env.MERCADITO_SELLER_ID),
    async open() {
      const socket = await openSecureTunnel(port, `${API_HOST}:443`, { ca })
      return socket.on('error', () => {})
    },
    async stop() {
      const exited = once(child, 'exit')
      child.stdin.end()
      const [code] = await exited
      return { code, errors }
    },
  }
}
