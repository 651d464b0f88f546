// What the npm package bundles: its library and its program in one file, each evaluated when it is asked for.

export const library = () => import('../lib/sandbox.ts')
export const program = () => import('./mercadito.ts')
