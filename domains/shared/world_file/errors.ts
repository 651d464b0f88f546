import { badRequest } from '../../../http/errors.ts'

export const duplicate = (place: string) => badRequest(`${place}: is a duplicate`)

/** Calls `read`; puts the place of the element before the place that an error of it names. */
export function prefixErrors<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw 'error' in (error as object) ? badRequest(`${place}.${(error as Error).message}`) : error
  }
}
