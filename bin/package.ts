// What the npm package bundles: its library and its program in one file, each loaded when it is asked for.

export { sandbox } from '../lib/index.ts'
export const program = () => import('./mercadito.ts')
