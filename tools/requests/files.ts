import { exampleCalls } from './calls.ts'
import { httpFiles } from './http_files.ts'
import { postmanCollection } from './postman.ts'

export const HTTP_FOLDER = 'examples/http'
export const COLLECTION = 'examples/postman/mercadito.postman_collection.json'

/** The text of every generated file, by its path. */
export async function requestFiles(): Promise<Record<string, string>> {
  const calls = await exampleCalls()
  const files = Object.entries(httpFiles(calls)).map(([name, text]) => [`${HTTP_FOLDER}/${name}`, text])
  return {
    ...Object.fromEntries(files),
    [COLLECTION]: `${JSON.stringify(postmanCollection(calls), null, 2)}\n`,
  }
}
