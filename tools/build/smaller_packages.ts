import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import type { Plugin } from 'esbuild'
import { at } from '../root.ts'

/** Parts of packages that the program does not use, and what replaces them in builds. */
export const SMALLER_PACKAGES = { '@modelcontextprotocol/server/_shims': at('mcp/sdk_shims.ts') }

/** What Fastify and its router do at a start, and what takes less: file, text, and what replaces it. */
const QUICKER: [file: string, text: string, replacement: string][] = [
  // It compares the versions that the lock file names with those that plugins want: the tests do, with what they import.
  ['fastify/lib/plugin-utils.js', "require('semver')", '{ satisfies: () => true }'],
  // The router compiles a function for each shorter part of a path: its other way to compare takes 3 % less of a start.
  ['find-my-way/lib/node.js', 'LONG_PREFIX_MIN_LENGTH = 16', 'LONG_PREFIX_MIN_LENGTH = 2'],
  // It compiles a function for each route: one for all with the same parameters is enough.
  [
    'find-my-way/lib/handler-storage.js',
    '_createParamsObject: this._compileCreateParamsObject(params)',
    '_createParamsObject: (HandlerStorage.byNames ??= {})[JSON.stringify(params)] ??= this._compileCreateParamsObject(params)',
  ],
  // Another one chooses between routes by header: here none does.
  [
    'find-my-way/lib/handler-storage.js',
    'this._compileGetHandlerMatchingConstraints(constrainer, constraints)',
    `this._getHandlerMatchingConstraints = function (derived) {
      this._compileGetHandlerMatchingConstraints(constrainer, constraints)
      return this._getHandlerMatchingConstraints(derived)
    }`,
  ],
  // It keeps the functions of a route by status: if one key is far from the others, V8 allocates no array of 600 elements.
  ['fastify/lib/validation.js', 'return acc\n    }, {})', 'return acc\n    }, { 65535: undefined })'],
]

export const quickStart: Plugin = {
  name: 'quick start',
  setup({ onLoad }) {
    onLoad({ filter: /\/(find-my-way|fastify)\/lib\/[\w-]+\.js$/ }, ({ path }) => {
      const own = QUICKER.filter(([file]) => path.endsWith(`/node_modules/${file}`))
      const contents = own.reduce(
        (text, [, replaced, replacement]) => {
          if (!text.includes(replaced)) throw new Error(`${path} has changed`)
          return text.replace(replaced, () => replacement)
        },
        readFileSync(path, 'utf8'),
      )
      return { contents }
    })
  },
}

/**
 * Modules that few processes use are loaded when a member is first read, or called: those of TLS take 25 ms, the 200 kB of
 * media types of @fastify/sensible a tenth of the start.
 */
export const loadLate: Plugin = {
  name: 'load late',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(type-is|node:(tls|https|http2))$/ }, ({ path, namespace, resolveDir }) =>
      namespace === 'late' ? undefined : { path, namespace: 'late', pluginData: resolveDir },
    )
    onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: isBuiltin(path)
        ? `module.exports = {${Object.keys(process.getBuiltinModule(path)!).map((name) => `get ${name}() { return require('${path}').${name} }`)}}`
        : `module.exports = (...args) => require('${path}')(...args)`,
      resolveDir: pluginData,
    }))
  },
}
