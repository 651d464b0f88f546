import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { setTimeout } from 'node:timers/promises'

// `node tools/nightly/slow_machine.ts npm test` runs a command, and all that it starts, with a quarter of the time of all
// CPUs: of a control group as root on Linux, elsewhere beside busy processes.

const PART = 4
const CPUS = availableParallelism()
const PERIOD_US = 20_000
const QUOTA_US = (PERIOD_US * CPUS) / PART
/** Where the kernel has control groups that limit CPUs: versions 2 and 1. */
const ROOTS = [
  { root: '/sys/fs/cgroup', limits: { 'cpu.max': `${QUOTA_US} ${PERIOD_US}` } },
  { root: '/sys/fs/cgroup/cpu', limits: { 'cpu.cfs_period_us': PERIOD_US, 'cpu.cfs_quota_us': QUOTA_US } },
]

const command = process.argv.slice(2)
if (command.length === 0) throw new Error('usage: slow_machine.ts COMMAND')
const group = createGroup()
process.stderr.write(`a quarter of ${CPUS} CPUs: ${group ?? `${(PART - 1) * CPUS} busy processes`}\n`)
process.exitCode = await (group === undefined ? runBesideOthers() : runIn(group))

/** A control group of its own; undefined if this process cannot have one. */
function createGroup(): string | undefined {
  for (const { root, limits } of ROOTS) {
    const folder = `${root}/mercadito-slow-${process.pid}`
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    try {
      // Where no control groups are mounted this is a plain folder.
      if (existsSync(`${folder}/cgroup.procs`)) {
        if (root === ROOTS[0]!.root) writeFileSync(`${root}/cgroup.subtree_control`, '+cpu', { flag: 'r+' })
        for (const [name, value] of Object.entries(limits))
          writeFileSync(`${folder}/${name}`, String(value), { flag: 'r+' })
        return folder
      }
    } catch {
      // The CPUs cannot be limited by this version.
    }
    rmdirSync(folder)
  }
  return undefined
}

/** The exit code of the command, which enters the group first. What it leaves running is ended. */
async function runIn(group: string): Promise<number> {
  const members = `${group}/cgroup.procs`
  try {
    return await exitCodeOf('sh', ['-c', `echo $$ >${members} && exec "$@"`, 'sh', ...command])
  } finally {
    for (let tries = 0; tries < 100 && readFileSync(members, 'utf8') !== ''; tries++) {
      for (const pid of readFileSync(members, 'utf8').trim().split('\n')) end(Number(pid))
      await setTimeout(50)
    }
    rmdirSync(group)
  }
}

function end(pid: number): void {
  try {
    if (pid > 0) process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

async function runBesideOthers(): Promise<number> {
  const busy = Array.from({ length: (PART - 1) * CPUS }, () => spawn(process.execPath, ['-e', 'for (;;);']))
  try {
    return await exitCodeOf(command[0]!, command.slice(1))
  } finally {
    for (const one of busy) one.kill('SIGKILL')
  }
}

function exitCodeOf(file: string, args: string[]): Promise<number> {
  const child = spawn(file, args, { stdio: 'inherit' })
  return new Promise((resolve, reject) => child.on('error', reject).on('close', (code) => resolve(code ?? 1)))
}
