import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOOLS } from '../mcp/tools.ts'
import { createReport } from './docs/report.ts'
import { buildPackage } from './package/build.ts'
import { plainEnvironment, run } from './run.ts'

// `npm run mcp` installs the package and the Inspector of the Model Context Protocol in an empty project, and lists the tools with
// the Inspector's command line. test/journeys/mcp.test.ts makes every kind of request, check_mcp.ts most with what is built.

const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'
/** Ms that a request may take. */
const MAX_MS = 60_000

const report = createReport((text) => process.stdout.write(text))
const project = mkdtempSync(join(tmpdir(), 'mercadito-mcp-'))
const env = { ...plainEnvironment(), HOME: project }

try {
  const { path } = await buildPackage()
  writeFileSync(join(project, 'package.json'), '{"private":true}')
  const flags = ['--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  run('npm', ['install', ...flags, path, INSPECTOR], { cwd: project })

  await report.check('tools/list: no schema is an error for any client', () => {
    const bin = join(project, 'node_modules/.bin')
    const words = ['--cli', join(bin, 'mercadito'), 'mcp', '--method', 'tools/list', '--strict']
    const { tools } = JSON.parse(run(join(bin, 'mcp-inspector'), words, { cwd: project, env, timeout: MAX_MS }))
    assert.deepEqual(names(tools), names(TOOLS))
  })
} finally {
  rmSync(project, { recursive: true })
}
if (!report.close()) process.exitCode = 1

function names(all: readonly { name: string }[]): string[] {
  return all.map(({ name }) => name)
}
