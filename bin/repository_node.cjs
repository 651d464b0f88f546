'use strict'

const { existsSync } = require('node:fs')
const { join } = require('node:path')
const { complaint } = require('./node_version.cjs')

/** One line if this Node is too old for the repository in `root`, with what helps; otherwise undefined. */
exports.repositoryComplaint = (root) => {
  if (!complaint) return undefined
  const modules = join(root, 'node_modules')
  // npm's scripts and npx find it first.
  if (existsSync(join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')))
    return `${complaint}. \`npm ci\` has installed a newer one: use \`npm start\`, or \`npx node …\``
  return `${complaint}${existsSync(modules) ? ', and `npm ci` installs none for this system' : '. Run `npm ci`, which installs one on most systems'}`
}
