'use strict'

// The first step of `npm start`; an old Node must be able to run it.
const { join } = require('node:path')
const { isOld } = require('../bin/node_version.cjs')
const { repositoryComplaint } = require('../bin/repository_node.cjs')

const complaint = repositoryComplaint(join(__dirname, '..'))
if (complaint) {
  process.stderr.write(`mercadito: ${complaint}\n`)
  process.exit(1)
}

// npm puts the Node of the dependencies first in PATH, and names its own one here.
const [, npmVersion] = /node\/v(\S+)/.exec(process.env.npm_config_user_agent || '') || []
if (npmVersion && isOld(npmVersion))
  process.stderr.write(
    `mercadito: Node ${npmVersion} is too old; running with Node ${process.versions.node}, which \`npm ci\` installed\n`,
  )
