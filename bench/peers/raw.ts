import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestData } from './test_data.ts'

// An upper bound: node:http with prepared bytes by method and path. It stores nothing.

const { fixed } = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as TestData
const ready = new Map(
  fixed.map(({ method, path, query, status, body }) => {
    const search = new URLSearchParams(query).toString()
    const bytes = Buffer.from(body)
    // With the same headers as our server.
    const headers = {
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
      'content-length': bytes.length,
    }
    return [`${method} ${path}${search && `?${search}`}`, { status, headers, bytes }]
  }),
)

const server = createServer((request, response) => {
  const answer = ready.get(`${request.method} ${request.url}`)
  const send = () => {
    if (!answer) return response.writeHead(404).end()
    response.writeHead(answer.status, answer.headers).end(answer.bytes)
  }
  if (request.method === 'POST') request.resume().on('end', send)
  else send()
})
process.on('SIGTERM', () => process.exit(0))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`)
})
