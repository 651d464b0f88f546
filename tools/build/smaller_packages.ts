import { at } from '../root.ts'

/** Parts of packages that the program does not use, and what replaces them in builds. */
export const SMALLER_PACKAGES = { '@modelcontextprotocol/server/_shims': at('mcp/sdk_shims.ts') }
