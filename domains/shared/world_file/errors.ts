import { badRequest } from '../../../http/errors/control_errors.ts'

export const duplicate = (place: string) => badRequest(`${place}: is a duplicate`)

/** Calls `read`; prefixes the message of its API errors with the place of the element. */
export function prefixErrors<T>(place: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw withPlace(place, error as Error)
  }
}

/** The same for a promise. */
export const prefixRejection = <T>(place: string, reading: Promise<T>): Promise<T> =>
  reading.catch((error) => {
    throw withPlace(place, error)
  })

const withPlace = (place: string, error: Error): Error =>
  'error' in error ? badRequest(`${place}.${error.message}`) : error
