import type { FastifyInstance, FastifyPluginAsync, FastifyPluginCallback } from 'fastify'

/** A plugin with its options. */
export type ListedPlugin = readonly [plugin: Plugin<never>, options: object]
type Plugin<T extends object> = FastifyPluginCallback<T> | FastifyPluginAsync<T>

export const withOptions = <T extends object>(plugin: Plugin<T>, options: T): ListedPlugin => [plugin, options]

/** Registers plugins in the order of the list, or in another (tests). Their `dependencies` reject a wrong order. */
export function registerAll(
  app: FastifyInstance,
  plugins: ListedPlugin[],
  arrange: (plugins: ListedPlugin[]) => ListedPlugin[] = (all) => all,
): void {
  for (const [plugin, options] of arrange(plugins)) app.register(plugin, options as never)
}
