import { CallError } from './client.ts'

/** null in place of a 404. */
export async function orNull<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CallError && error.status === 404) return null
    throw error
  }
}
