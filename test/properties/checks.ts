import type { Outcome } from '../support/openapi.ts'

export const describe = ({ status, body }: Outcome): string => `${status} ${JSON.stringify(body)?.slice(0, 500)}`

/** Throws `wrong` unless `good`. A function builds the message only if needed: most checks succeed. */
export function check(good: boolean, wrong: string | undefined | (() => string)): asserts good {
  if (!good) throw new Error(typeof wrong === 'function' ? wrong() : wrong)
}
