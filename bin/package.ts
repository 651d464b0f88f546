// Entry point of the npm package: library and program in one file, each evaluated at its first use.

export const library = () => import('../lib/sandbox.ts')
export const program = () => import('./mercadito.ts')
