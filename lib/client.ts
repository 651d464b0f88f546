// What programs use that start no server.

export * from './control.ts'
export type * from './types.ts'
export { createWorld } from './world.ts'
