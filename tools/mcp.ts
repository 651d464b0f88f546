import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOOLS } from '../mcp/tools.ts'
import { createReport } from './docs/report.ts'
import { buildPackage } from './package/build.ts'
import { plainEnvironment, run } from './run.ts'

// `npm run mcp` installs the package and the Inspector of the Model Context Protocol in an empty project, and uses tools with the
// Inspector's command line. test/journeys/mcp.test.ts makes every kind of request, check_mcp.ts most with what is built.

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
    const { tools } = inspect('tools/list', '--strict')
    assert.deepEqual(names(tools), names(TOOLS))
  })
  await report.check('tools/call with a wrong argument', () => {
    const { content, isError } = inspect('tools/call', '--tool-name', 'simulate', '--tool-arg', 'days=0')
    assert.deepEqual([isError, content[0].text], [true, 'days: must be an integer from 1 to 365'])
  })
} finally {
  rmSync(project, { recursive: true })
}
if (!report.close()) process.exitCode = 1

function names(all: readonly { name: string }[]): string[] {
  return all.map(({ name }) => name)
}

/** The result of a request. Throws if the Inspector fails; for a tool that answers an error it always does. */
function inspect(method: string, ...args: string[]) {
  const bin = join(project, 'node_modules/.bin')
  const { status, stdout, stderr, error } = spawnSync(
    join(bin, 'mcp-inspector'),
    ['--cli', join(bin, 'mercadito'), 'mcp', '--method', method, ...args],
    { cwd: project, env, encoding: 'utf8', timeout: MAX_MS },
  )
  if (error) throw error
  if (stdout.trim() === '') throw new Error(stderr)
  const result = JSON.parse(stdout)
  if (status !== 0 && !result.isError) throw new Error(stderr)
  return result
}
