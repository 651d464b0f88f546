'use strict'

// package.json decides: the addon of better-sqlite3 needs Node-API 10 and scenarios need zstd (22.15), undici 8 needs 22.19.
const { engines } = require('../package.json')
const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number)

/** Whether a version of Node such as `20.20.2` is too old. */
exports.isOld = (version) => {
  const [major, minor] = version.split('.').map(Number)
  return major < minMajor || (major === minMajor && minor < minMinor)
}

/** One line if this Node is too old; otherwise undefined. */
exports.complaint = exports.isOld(process.versions.node)
  ? `needs Node ${minMajor}.${minMinor} or newer; this is Node ${process.versions.node}`
  : undefined
