import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { LoopReport } from './delay.ts'
import { at, flagsOf, folder, type LaunchOptions, type ReadyServer, SERVER_CORE, serve } from './processes.ts'

/** A server that reports how long its event loop was blocked. */
export interface WatchedServer extends ReadyServer {
  /** Of the time since the last report. */
  loopReport(): Promise<LoopReport>
  /** The most memory that it has had, MB. */
  peakMegabytes(): number
}

let count = 0

/** Stays on the server's core by default. `data`: the folder of a kept world. */
export async function startWatchedServer(
  data: string | undefined,
  options: LaunchOptions = { core: SERVER_CORE },
): Promise<WatchedServer> {
  const report = join(folder, `loop-${++count}.json`)
  const hook = pathToFileURL(at('bench/delay.ts'))
  hook.searchParams.set('report', report)
  const server = await serve(['--import', hook.href, at('dist/mercadito.js'), ...flagsOf(data)], options)
  return {
    ...server,
    async loopReport() {
      process.kill(server.pid, 'SIGUSR2')
      while (!existsSync(report)) await new Promise((resolve) => setTimeout(resolve, 5))
      // The file exists before its content is written.
      await new Promise((resolve) => setTimeout(resolve, 5))
      const loop = JSON.parse(readFileSync(report, 'utf8')) as LoopReport
      rmSync(report)
      return loop
    },
    peakMegabytes: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'latin1'))![1]) / 1024,
  }
}
