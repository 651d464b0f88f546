import { spawnSync } from 'node:child_process'

/** Set in the process that has a network of its own. */
const MARK = 'HAS_OWN_NETWORK'
const USER = process.getuid?.() === 0 ? [] : ['--map-current-user', '--keep-caps']
const NAMESPACE = ['unshare', ...USER, '--net', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']

/**
 * Runs the program of this process again, in a network in which no other program listens, and exits with its exit code: so it
 * can use the ports of the documentation. Returns in that process, and where this machine has no such networks (Linux with
 * unshare and ip); then the ports must be free.
 */
export function enterOwnNetwork(): void {
  if (process.env[MARK] !== undefined) return
  const [file, ...args] = NAMESPACE
  if (spawnSync(file!, [...args, 'true']).status !== 0) return
  const options = { stdio: 'inherit', env: { ...process.env, [MARK]: 'true' } } as const
  process.exit(spawnSync(file!, [...args, process.execPath, ...process.argv.slice(1)], options).status ?? 1)
}
