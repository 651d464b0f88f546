// The part of the SDK that the program uses: a file of its own in the npm package, which other commands do not load.

export { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server'
export { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
