'use strict'

/** The first with what the database's addon needs (Node-API 10), and with zstd. */
const [LEAST_MAJOR, LEAST_MINOR] = [22, 15]

const [major, minor] = process.versions.node.split('.').map(Number)
const old = major < LEAST_MAJOR || (major === LEAST_MAJOR && minor < LEAST_MINOR)

exports.least = `${LEAST_MAJOR}.${LEAST_MINOR}`
/** One line for a Node that is too old; undefined for others. */
exports.complaint = old ? `needs Node ${exports.least} or newer; this is Node ${process.versions.node}` : undefined
