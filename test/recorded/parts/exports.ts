import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Exchange } from '../exchange.ts'
import { answerOf } from '../replay.ts'
import { serverOf } from '../server.ts'

const EXAMPLE = fileURLToPath(new URL('../../../examples/world.json', import.meta.url))
/** Lines per digest. */
const LINES_PER_DIGEST = 40
const MAX_TEXT_LENGTH = 60_000

/** The text of a file; for a large one, digests of its lines. */
function exchangesOf(call: string, text: string): Exchange[] {
  if (text.length <= MAX_TEXT_LENGTH) return [{ plane: 'fixed', call, answer: text }]
  const lines = text.split('\n')
  return Array.from({ length: Math.ceil(lines.length / LINES_PER_DIGEST) }, (_, n) => {
    const some = lines.slice(n * LINES_PER_DIGEST, (n + 1) * LINES_PER_DIGEST)
    const digest = createHash('sha256').update(some.join('\n')).digest('hex').slice(0, 24)
    return {
      plane: 'fixed',
      call: `${call}, lines ${n * LINES_PER_DIGEST + 1} to ${n * LINES_PER_DIGEST + some.length}`,
      answer: digest,
    }
  })
}

const EXPORT = { method: 'GET', url: '/_sandbox/world' }

/** Exports of each scenario, and of the example after it was loaded. */
export async function exportedWorlds(seed: number): Promise<Exchange[]> {
  const all: Exchange[] = []
  for (const scenario of ['demo', 'empty'] as const) {
    const { app, close } = await serverOf({ scenario, seed })
    try {
      all.push(...exchangesOf(`export of ${scenario}`, await answerOf(app, EXPORT)))
      if (scenario === 'demo') continue
      const payload = readFileSync(EXAMPLE, 'utf8')
      const load = { method: 'PUT', url: '/_sandbox/world', payload }
      all.push({ plane: 'fixed', call: 'load of the example', answer: await answerOf(app, load) })
      const file = await answerOf(app, EXPORT)
      all.push(...exchangesOf('export of the example', file))
      const again = { method: 'PUT', url: '/_sandbox/world', payload: file.slice(file.indexOf('\n\n') + 2) }
      all.push({ plane: 'fixed', call: 'load of its export', answer: await answerOf(app, again) })
      all.push(...exchangesOf('export of its export', await answerOf(app, EXPORT)))
    } finally {
      await close()
    }
  }
  const { app, close } = await serverOf({ scenario: 'empty', seed, options: { load: EXAMPLE } })
  try {
    all.push(...exchangesOf('export of a world that began as the example', await answerOf(app, EXPORT)))
  } finally {
    await close()
  }
  return all
}
