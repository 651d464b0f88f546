import { spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** A part of the gate: a command that decides something alone. */
export interface Part {
  name: string
  /** A program and its arguments. */
  command: readonly string[]
  /** Added to the environment. */
  env?: Record<string, string>
  /** Seconds after which the part is ended, with all that it has started. */
  limit: number
  /** The last line with a count must be `N passed, 0 failed`. Other parts pass when they exit with 0. */
  hasCount?: boolean
}

export interface Result {
  part: Part
  passed: number
  seconds: number
  /** Why the part has failed; undefined if it has passed. */
  failure: string | undefined
  /** The file with all output. */
  log: string
}

const COUNT = /^\d+ passed, \d+ failed(?:, \d+ skipped)?$/gm
/** Ms between the signal that asks a part to end and the one that ends it, and for what it has started to end with it. */
const GRACE_MS = 2000

/**
 * Runs a part to its end. Its output goes to a file, so that no process that it leaves behind can hold what this process
 * writes to; such processes are ended. Never rejects.
 */
export function runPart(part: Part, folder: string, env: NodeJS.ProcessEnv): Promise<Result> {
  const began = performance.now()
  mkdirSync(folder, { recursive: true })
  const log = join(folder, `${part.name}.log`)
  const output = openSync(log, 'w')
  const [program, ...args] = part.command
  return new Promise((resolve) => {
    // In a process group of its own, which ends as a whole.
    const child = spawn(program!, args, {
      stdio: ['ignore', output, output],
      detached: true,
      env: { ...env, ...part.env },
    })
    closeSync(output)
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      sendSignal(-child.pid!, 'SIGTERM')
      setTimeout(() => sendSignal(-child.pid!, 'SIGKILL'), GRACE_MS).unref()
    }, part.limit * 1000)
    const end = (failure: string | undefined) => {
      clearTimeout(limit)
      const { passed, wrong } = readCount(part, log)
      const seconds = (performance.now() - began) / 1000
      resolve({ part, passed, seconds, failure: failure ?? wrong, log })
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', async (code, signal) => {
      const isAlone = await isGroupEmpty(child.pid!)
      sendSignal(-child.pid!, 'SIGKILL')
      if (isLate) end(`ended at its limit of ${part.limit} s (process group ${child.pid})`)
      else if (signal) end(`ended by ${signal}`)
      else if (code !== 0) end(`exit code ${code}`)
      else end(isAlone ? undefined : `left processes behind (process group ${child.pid}), which were ended`)
    })
  })
}

/** Waits a little for processes that end when their parent has ended. */
async function isGroupEmpty(pid: number): Promise<boolean> {
  for (const end = performance.now() + GRACE_MS; performance.now() < end; await delay(20))
    if (!sendSignal(-pid, 0)) return true
  return false
}

/** Sends a signal to a process, or to a group by its negative number; false if there is none. The signal 0 only looks. */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function readCount({ hasCount }: Part, log: string): { passed: number; wrong?: string } {
  const last = readFileSync(log, 'utf8').match(COUNT)?.at(-1)
  const [passed, failed] = last?.match(/\d+/g)?.map(Number) ?? [0, 0]
  if (!hasCount) return { passed: passed! }
  if (last === undefined) return { passed: 0, wrong: 'no result' }
  return failed === 0 && passed! > 0 ? { passed: passed! } : { passed: passed!, wrong: last }
}
