import { badRequest } from '../../http/errors.ts'

/** Reads what stands at a place of the file; a refusal then names the place before what it names itself. */
export function prefixErrors<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw 'error' in (error as object) ? badRequest(`${place}.${(error as Error).message}`) : error
  }
}
