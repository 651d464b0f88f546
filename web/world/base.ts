/** The part of the console's path that every call begins with: `/shop/w/2/_sandbox/console/` → `/shop/w/2`. */
export const basePath = (path: string): string => path.replace(/\/_sandbox\/console(\/.*)?$/, '')

/** The number of the world in a base path; 1 is the default world. */
export const worldOf = (base: string): number => Number(/\/w\/(\d+)$/.exec(base)?.[1] ?? 1)

/** The base path of the console of another world of the same server. */
export const consoleOf = (base: string, world: number): string =>
  `${base.replace(/\/w\/\d+$/, '')}${world === 1 ? '' : `/w/${world}`}/_sandbox/console/`
