import { readFileSync } from 'node:fs'
import { type Part, type Result, runPart } from './run_part.ts'

/** A part with the share of the machine's cores that it keeps busy: 1 is a core. */
export interface WeightedPart extends Part {
  cores: number
}

/** Lines of a failed part's output that are printed: of its failures, and of its end. */
const MAX_LINES = 150
/** Of one failure. */
const MAX_FAILURE_LINES = 40
const PASSED_LINE = /^ *(ok \d|# Subtest|npm warn)/
/** A failed assertion of tap with its description, or of a report with its indented message. */
const FAILURE = /^( *)not ok .*(?:\n\1 {2}---\n[\s\S]*?\n\1 {2}\.\.\.$|(?:\n\1 +\S.*)*)/gm

/**
 * Runs parts beside each other, in their order, as long as they keep at most `cores` busy; a part alone may take more.
 * Prints each result when it is there, with the end of a failed part's output.
 */
export async function runParts(
  parts: readonly WeightedPart[],
  { cores, folder, env, print }: { cores: number; folder: string; env: NodeJS.ProcessEnv; print(text: string): void },
): Promise<Result[]> {
  const results: Result[] = []
  const waiting = [...parts]
  const running = new Map<WeightedPart, Promise<unknown>>()
  const busy = () => [...running.keys()].reduce((sum, part) => sum + part.cores, 0)
  while (waiting.length + running.size > 0) {
    const next = waiting.findIndex((part) => running.size === 0 || busy() + part.cores <= cores)
    if (next === -1) {
      await Promise.race(running.values())
      continue
    }
    const [part] = waiting.splice(next, 1) as [WeightedPart]
    const ended = runPart(part, folder, env).then((result) => {
      running.delete(part)
      results.push(result)
      print(describeResult(result))
    })
    running.set(part, ended)
  }
  return results
}

function describeResult({ part, passed, seconds, failure, log }: Result): string {
  const line = `${part.name}: ${failure ?? (part.hasCount ? `${passed} passed` : 'passed')}, ${seconds.toFixed(0)} s\n`
  if (failure === undefined) return line
  const text = readFileSync(log, 'utf8')
  const lines = text.split('\n').filter((text) => !PASSED_LINE.test(text))
  const shown = [...(lines.length > MAX_LINES ? failuresOf(text) : []), ...lines.slice(-MAX_LINES)]
  return `${shown.map((text) => `| ${text}\n`).join('')}${line}`
}

/** What has failed, which may be long before the end of an output. */
function failuresOf(output: string): string[] {
  const lines = [...output.matchAll(FAILURE)].flatMap(([block]) => block.split('\n').slice(0, MAX_FAILURE_LINES))
  return lines.slice(0, MAX_LINES)
}

/** A line for each part, in the order of the list. */
export function formatTable(parts: readonly Part[], results: readonly Result[]): string {
  const rows = parts.map((part) => {
    const result = results.find((one) => one.part === part)
    if (!result) return [part.name, '', '', 'not run']
    const { passed, seconds, failure } = result
    return [part.name, passed ? String(passed) : '', seconds.toFixed(0), failure ?? 'passed']
  })
  const table = [['part', 'tests', 'seconds', 'result'], ...rows]
  const width = (column: number) => Math.max(...table.map((row) => row[column]!.length))
  const line = ([name, tests, seconds, result]: string[]) =>
    `${name!.padEnd(width(0))}  ${tests!.padStart(width(1))}  ${seconds!.padStart(width(2))}  ${result}\n`
  return table.map(line).join('')
}
