export { ControlError, control } from './control.ts'
export { sandbox } from './sandbox.ts'
export type * from './types.ts'
export { createWorld } from './world.ts'
