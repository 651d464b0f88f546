import { readAsset } from '../db/assets.ts'
import type { Schema } from './tool.ts'

interface Operation {
  operationId: string
  summary?: string
  [member: string]: unknown
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** The OpenAPI documents by the name that their resources have. */
export const DOCUMENTS = { api: 'openapi.json', control: 'openapi.sandbox.json' } as const
export type DocumentName = keyof typeof DOCUMENTS

const read = (name: DocumentName): OpenApi => JSON.parse(readAsset(DOCUMENTS[name]).toString())

const operations = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId !== undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

export const operationIds = (name: DocumentName): string[] =>
  operations(read(name)).map(({ operation }) => operation.operationId)

/** A line for each operation. */
export const listOperations = (name: DocumentName): string =>
  operations(read(name))
    .map(({ method, path, operation: { operationId, summary } }) => `- ${method} ${path}: ${summary} (${operationId})`)
    .join('\n')

/** An operation with the schemas that it uses; undefined if there is none. */
export function readOperation(name: DocumentName, id: string): object | undefined {
  const document = read(name)
  const found = operations(document).find(({ operation }) => operation.operationId === id)
  if (!found) return undefined
  const schemas: Record<string, Schema> = {}
  addSchemas(found.operation, document, schemas)
  return { method: found.method, path: found.path, ...found.operation, schemas }
}

/** Adds the schemas that a part of a document refers to, directly or not. */
function addSchemas(part: unknown, { components }: OpenApi, schemas: Record<string, Schema>): void {
  for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (name! in schemas) continue
    schemas[name!] = components.schemas[name!]!
    addSchemas(schemas[name!], { components } as OpenApi, schemas)
  }
}

interface Rule {
  id: string
  page: string
  text: string
}

const rules = (): Rule[] => JSON.parse(readAsset('rules.json').toString())

/** The pages of the specification. */
export const specPages = (): string[] => [...new Set(rules().map(({ page }) => page))]

/** The rules of a page with their ids, as Markdown; undefined if there is no such page. */
export function readSpec(page: string): string | undefined {
  const lines = rules()
    .filter((rule) => rule.page === page)
    .map(({ id, text }) => `- \`${id}\`: ${text}`)
  return lines.length === 0 ? undefined : `# Rules of the emulated API: ${page}\n\n${lines.join('\n')}\n`
}

export const readBehaviour = (): string => readAsset('behaviour.md').toString()
export const readDocument = (name: DocumentName): string => readAsset(DOCUMENTS[name]).toString()
