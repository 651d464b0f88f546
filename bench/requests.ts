import { request } from 'node:http'

/** Complete requests as text. */
export const get = (path: string, token: string, host = 'localhost'): string =>
  `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
export const post = (path: string, token: string, body: object): string => send('POST', path, token, body)

/** Without a token for control calls. */
export function send(method: string, path: string, token: string | undefined, body: object): string {
  const text = JSON.stringify(body)
  const head = `host: localhost\r\n${token === undefined ? '' : `authorization: Bearer ${token}\r\n`}content-type: application/json`
  return `${method} ${path} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

export interface Answer {
  status: number
  /** Without Date. */
  headers: Record<string, unknown>
  body: string
}

export function sendRequest({ port }: { port: number }, text: string): Promise<Answer> {
  const [head, body] = text.split('\r\n\r\n') as [string, string]
  const [line, ...headerLines] = head.split('\r\n')
  const [method, path] = line!.split(' ')
  const headers = Object.fromEntries(headerLines.map((header) => header.split(': ')))
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const { date: _, ...compared } = response.headers
      resolve({ status: response.statusCode!, headers: compared, body: Buffer.concat(chunks).toString() })
    })
    sent.on('error', reject).end(body)
  })
}
