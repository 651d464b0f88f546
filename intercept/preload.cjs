'use strict'
// `mercadito exec --intercept` loads this into Node programs, by NODE_OPTIONS: before Node 24 their fetch and http ignore
// HTTPS_PROXY. It must run on Node 18, and it leads connections to the ports of HTTP and HTTPS to the proxy; TLS and the
// name in it stay as they are.
const { Socket } = require('node:net')
/** `ports`: those of the proxy for port 80 and 443. `direct`: hosts, or `*.` and a name, that are called as usual. */
const { ports, direct } = require('./preload.json')

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1|::ffff:127(\.\d+){3}|0\.0\.0\.0|::)$/
const isDirect = (host) =>
  LOOPBACK.test(host) || direct.some((entry) => (entry[0] === '*' ? host.endsWith(entry.slice(1)) : host === entry))

const { connect } = Socket.prototype
Socket.prototype.connect = function (...args) {
  // Node itself calls it with one array of the arguments.
  const [first, ...rest] = Array.isArray(args[0]) ? args[0] : args
  const isObject = typeof first === 'object' && first !== null
  const options = isObject ? first : { port: first, host: typeof rest[0] === 'string' ? rest[0] : undefined }
  const port = ports[options.port]
  const host = String(options.host ?? 'localhost').toLowerCase()
  if (port === undefined || options.path || isDirect(host)) return connect.apply(this, args)
  const callback = rest.find((argument) => typeof argument === 'function')
  return connect.call(
    this,
    { ...options, port, host: '127.0.0.1', localAddress: undefined, lookup: undefined },
    callback,
  )
}
