import { ControlError } from '../../lib/control.ts'
import { CallError, client, withToken } from './client.ts'

/** Calls whose bodies are files: they bypass the client's JSON, because they may be large, and their form is that of the server. */
export async function callFile(
  name: 'GET /world' | 'GET /recording' | 'PUT /world',
  fetchFn: typeof fetch,
  options: { snapshot?: string } = {},
): Promise<void> {
  await withToken(async () => {
    try {
      await client(fetchFn).call(name as 'GET /world', options)
    } catch (error) {
      throw error instanceof ControlError ? new CallError(error, name, {}) : error
    }
  })
}

/** Saves what a call answers as a file. */
export async function download(call: 'GET /world' | 'GET /recording', name: string): Promise<void> {
  let file = new Blob()
  await callFile(call, async (...given) => {
    const answer = await fetch(...given)
    if (!answer.ok) return answer
    file = await answer.blob()
    return new Response()
  })
  save(file, name)
}

/** Has the browser save a file. */
export function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
