import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FixedAnswer } from './test_data.ts'

// The configuration of each server that sends fixed texts, with the simplest matching that it has.

const JSON_TYPE = 'application/json; charset=utf-8'
const written = (folder: string, name: string, content: object): string => {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}
const queryOf = (query: FixedAnswer['query']) => {
  const text = new URLSearchParams(query).toString()
  return text && `?${text}`
}
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** Routes that ignore the query; templates, latency, CORS and TLS off. */
export function mockoonFile(folder: string, fixed: FixedAnswer[], port: number): string {
  const routes = fixed.map(({ method, path, status, body }, n) => ({
    uuid: uuid(n + 1),
    type: 'http',
    documentation: '',
    method: method.toLowerCase(),
    endpoint: path.slice(1),
    responses: [
      {
        uuid: uuid(n + 101),
        body,
        latency: 0,
        statusCode: status,
        label: '',
        headers: [{ key: 'content-type', value: JSON_TYPE }],
        bodyType: 'INLINE',
        filePath: '',
        databucketID: '',
        sendFileAsBody: false,
        rules: [],
        rulesOperator: 'OR',
        disableTemplating: true,
        fallbackTo404: false,
        default: true,
        crudKey: 'id',
        callbacks: [],
      },
    ],
    responseMode: null,
    streamingMode: null,
    streamingInterval: 0,
  }))
  return written(folder, 'mockoon.json', {
    uuid: uuid(0),
    name: 'bench',
    endpointPrefix: '',
    latency: 0,
    port,
    hostname: '127.0.0.1',
    folders: [],
    routes,
    rootChildren: routes.map(({ uuid }) => ({ type: 'route', uuid })),
    proxyMode: false,
    proxyHost: '',
    proxyRemovePrefix: false,
    tlsOptions: { enabled: false, type: 'CERT', pfxPath: '', certPath: '', keyPath: '', caPath: '', passphrase: '' },
    cors: false,
    headers: [],
    proxyReqHeaders: [],
    proxyResHeaders: [],
    data: [],
    callbacks: [],
  })
}

/** An OpenAPI document with the answers as examples: no schemas, so that there is nothing to validate. */
export const prismFile = (folder: string, fixed: FixedAnswer[]): string =>
  written(folder, 'prism.json', {
    openapi: '3.1.0',
    info: { title: 'bench', version: '1' },
    paths: Object.fromEntries(
      [...new Set(fixed.map(({ path }) => path))].map((path) => [
        path,
        Object.fromEntries(
          fixed
            .filter((answer) => answer.path === path)
            .map(({ method, status, body }) => [
              method.toLowerCase(),
              {
                ...(method === 'POST' && { requestBody: { content: { 'application/json': {} } } }),
                responses: {
                  [status]: { description: 'ready', content: { 'application/json': { example: JSON.parse(body) } } },
                },
              },
            ]),
        ),
      ]),
    ),
  })

/** A folder of mappings by whole URL. */
export function wireMockFolder(folder: string, fixed: FixedAnswer[]): string {
  const root = join(folder, 'wiremock')
  mkdirSync(join(root, 'mappings'), { recursive: true })
  const mappings = fixed.map(({ method, path, query, status, body }) => ({
    request: { method, url: path + queryOf(query) },
    response: { status, headers: { 'Content-Type': JSON_TYPE }, body },
  }))
  written(join(root, 'mappings'), 'all.json', { mappings })
  return root
}

/** Expectations by method and path. */
export const mockServerFile = (folder: string, fixed: FixedAnswer[]): string =>
  written(
    folder,
    'mockserver.json',
    fixed.map(({ method, path, status, body }) => ({
      httpRequest: { method, path },
      httpResponse: { statusCode: status, headers: { 'content-type': [JSON_TYPE] }, body },
    })),
  )
