import type { OnMiss } from '../control/stubs/propose.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { printable, quoteShell } from '../domains/shared/commands.ts'
import type { Log } from './log.ts'
import { url as urlFlag } from './settings.ts'

type Stub = Parameters<OnMiss>[1]
export type MissMode = 'ask' | 'propose'

/** Lines of a terminal: a server meets any number of paths. */
const MAX_LINES = 1000

/** Says in the terminal of a server which call was missed, once, and how to accept its proposed stub. */
export function reportMisses(mode: MissMode, { onNotice }: Pick<Log, 'onNotice'>, url: () => string): OnMiss {
  const lines = new Set<string>()
  return (world, { id, method, path }) => {
    const base = world === DEFAULT_WORLD ? url() : `${url()}/w/${world}`
    const accept = `mercadito stub accept ${id}${base === urlFlag.defaultValue ? '' : ` --url ${base}`}`
    const what = mode === 'ask' ? 'nothing answers' : 'only a proposed stub answers'
    const line = `${what} ${method} ${printable(path)}; to accept the proposed stub: ${accept}`
    if (lines.has(line) || lines.size >= MAX_LINES) return
    lines.add(line)
    onNotice(line)
  }
}

/** Collects the proposed stubs of all worlds of a run, each call once. */
export function collectMisses(mode: MissMode) {
  const stubs = new Map<string, Stub>()
  const onMiss: OnMiss = (_, stub) => void stubs.set(`${stub.method} ${stub.path}`, stub)
  return {
    onMiss,
    calls: () => [...stubs.values()].map(({ method, path, answer }) => ({ method, path, answer })),
    /** Lines with the command that makes each a stub; empty without calls. */
    text(): string {
      if (stubs.size === 0) return ''
      const one = stubs.size === 1 ? '1 call' : `${stubs.size} different calls`
      const head = mode === 'ask' ? `nothing answered ${one}` : `only proposed stubs answered ${one}`
      const commands = [...stubs.values()].map((stub) => `  ${printable(addCommand(stub))}\n`)
      return `mercadito: ${head}; to accept the proposed stubs:\n${commands.join('')}`
    },
  }
}

function addCommand({ method, path, answer: { status, body } }: Stub): string {
  const flags = status === 200 ? '' : ` --status ${status}`
  const text = body === undefined ? '' : ` --body ${quoteShell(JSON.stringify(body))}`
  return `mercadito stub add ${method ?? 'any'} ${quoteShell(path)}${flags}${text}`
}
