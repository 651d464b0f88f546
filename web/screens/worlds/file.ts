import { withUndo } from '../../world/client.ts'
import { callFile } from '../../world/files.ts'

/** Replaces the world by that of a file, which is sent as it is. */
export const loadWorld = (file: Blob, label: string): Promise<void> =>
  withUndo(label, (fetchFn) =>
    callFile(
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
