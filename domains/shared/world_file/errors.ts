import { badRequest } from '../../../http/control_errors.ts'

export const duplicate = (place: string) => badRequest(`${place}: is a duplicate`)

/** Calls `read`; prefixes the message of its API errors with the place of the element. */
export function prefixErrors<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw 'error' in (error as object) ? badRequest(`${place}.${(error as Error).message}`) : error
  }
}
