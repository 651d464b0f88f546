import { CallError } from './client.ts'

/** null in place of an error with one of these statuses. */
export async function orNull<T>(answer: Promise<T>, statuses = [404]): Promise<T | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CallError && statuses.includes(error.status)) return null
    throw error
  }
}
