import { spawnSync } from 'node:child_process'

/** Runs a program to its end and returns its output; `timeout` in ms. Throws an Error with all of it when the program fails. */
export function run(
  command: string,
  args: string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
    ...options,
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`)
  return stdout
}

/** The environment without settings of mercadito and npm. */
export const plainEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MERCADITO|npm)_/i.test(name)))

/** Runs a line in bash and returns its output; `timeout` in ms. Throws an Error with all output when it fails. */
export function runShell(line: string, options: { cwd: string; env: NodeJS.ProcessEnv; timeout: number }): string {
  const { status, stdout, stderr } = spawnSync('bash', ['-euc', line], { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`exit code ${status}\n${stdout}${stderr}`)
  return stdout
}
