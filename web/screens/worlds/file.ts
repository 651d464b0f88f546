import { ControlError } from '../../../lib/control.ts'
import { CallError, client, withToken, withUndo } from '../../world/client.ts'

/** The world file, as the server writes it. */
export async function downloadWorld(name: string): Promise<void> {
  const url = URL.createObjectURL(await readWorld())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}

async function readWorld(): Promise<Blob> {
  let file = new Blob()
  await call('GET /world', async (...given) => {
    const answer = await fetch(...given)
    if (!answer.ok) return answer
    file = await answer.blob()
    return new Response()
  })
  return file
}

/** Replaces the world by that of a file, which is sent as it is. */
export const loadWorld = (file: Blob, label: string): Promise<void> =>
  withUndo(label, (fetchFn) =>
    call(
      'PUT /world',
      (input, init) =>
        fetchFn(input, {
          ...init,
          headers: { ...(init?.headers as Record<string, string>), 'content-type': 'application/json' },
          body: file,
        }),
      { checkpoint: label },
    ),
  )

/** Files bypass the client's JSON: they may be large, and their form is that of the server. */
async function call(
  name: 'GET /world' | 'PUT /world',
  fetchFn: typeof fetch,
  options: { checkpoint?: string } = {},
): Promise<void> {
  await withToken(async () => {
    try {
      await client(fetchFn).call(name as 'GET /world', options)
    } catch (error) {
      throw error instanceof ControlError ? new CallError(error, name, {}) : error
    }
  })
}
