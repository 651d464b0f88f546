import type { OpenSandbox } from './types.ts'

export { ControlError, control } from './control.ts'
export type * from './types.ts'

/** Opens a marketplace in this process. Throws a TypeError for options that cannot be, an Error where it cannot start. */
// Loaded with the first: whoever imports types, or the client alone, waits for no server.
export const sandbox: OpenSandbox = async (options) => (await import('./sandbox.ts')).sandbox(options)
