import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { build } from '../app.ts'
import { populateFromFile } from '../control/world_file/import.ts'
import { scanFile } from '../control/world_file/temp_files.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import type { Switches } from '../db/world.ts'
import { SWITCHES } from '../domains/assumptions.ts'
import { failedAttempt } from '../domains/notifications/outbound/attempt.ts'
import { createClient } from '../lib/cli/client.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import { createSender, type RawCall, type ReplayAnswer } from '../replay/send.ts'
import { type BuiltWorld, buildWorld } from './build_world.ts'
import type { RecordedCall } from './calls.ts'
import type { Facts } from './facts.ts'

/** Worlds that exist at the same time. */
const MAX_WORLDS = 20

/** A server of its own, in this process, with the worlds that a recording shows. */
export interface Target {
  /** What the world of a call was built of. */
  worldOf(call: RecordedCall): Promise<BuiltWorld>
  /** Sends a call to its world, at its time. */
  send(call: RecordedCall, raw: RawCall, switches: Switches): Promise<ReplayAnswer>
  close(): Promise<void>
}

interface State {
  id: number
  base: string
  built: BuiltWorld
  switches: Switches
}

export async function openTarget(facts: Facts): Promise<Target> {
  const folder = createTemporaryFolder(temporaryRoot())
  const faults: Error[] = []
  const { server, worlds, listenOn } = await build({
    ...{ folder, mode: 'temporary', scenario: 'empty', seed: 1, now: 0, secret: false },
    onFault: (error) => faults.push(error),
    interceptAttempt: async () => failedAttempt('nothing is sent'),
  })
  await listenOn({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const sender = createSender(url)
  const removed: Promise<unknown>[] = []
  const states = new LRUCache<number, State>({
    max: MAX_WORLDS,
    dispose: ({ id }) => void removed.push(createClient(url).request(`DELETE /worlds/${id}`)),
  })

  async function stateOf({ line, at, isWrite }: RecordedCall): Promise<State> {
    // A write finds the world as it was before.
    const n = facts.stateOf(isWrite ? line.n - 0.5 : line.n)
    const known = states.get(n)
    if (known) return known
    await Promise.all(removed.splice(0))
    const built = buildWorld(facts, n, at)
    const id = await importWorld(built.file)
    const state = { id, base: `/w/${id}`, built, switches: {} }
    states.set(n, state)
    return state
  }

  /** Without the elements that contradict others. */
  async function importWorld(file: BuiltWorld['file']): Promise<number> {
    const path = join(folder.path, 'seen.json')
    for (;;) {
      writeFileSync(path, JSON.stringify(file), { mode: 0o600 })
      const { members } = await scanFile(path)
      const networkPolicy = { isExposed: false, allowlist: [] }
      const populate = populateFromFile(path, members, { switches: {}, secret: false, networkPolicy })
      try {
        return await worlds.create(populate, { start: true })
      } catch (error) {
        const [, list, position] = /^(\w+)\[(\d+)\]/.exec((error as Error).message) ?? []
        const elements = list === undefined ? undefined : (file[list] as unknown[] | undefined)
        if (!elements) throw error
        elements.splice(Number(position), 1)
      } finally {
        rmSync(path, { force: true })
      }
    }
  }

  return {
    worldOf: async (call) => (await stateOf(call)).built,
    async send(call, raw, switches) {
      const state = await stateOf(call)
      const client = createClient(url + state.base)
      const values = (name: string): [string, string] => [name, switches[name] ?? SWITCHES[name]![0]!]
      for (const [name, value] of Object.keys({ ...state.switches, ...switches }).map(values)) {
        if ((state.switches[name] ?? SWITCHES[name]![0]) !== value)
          await client.call(`PATCH /assumptions/${name}`, { value })
      }
      state.switches = switches
      await client.call('PUT /clock', { mode: 'frozen', now: call.line.at })
      const answer = await sender.send({ ...raw, target: state.base + raw.target })
      // What it has changed is not what the recording shows.
      if (call.isWrite && (answer.status ?? 0) < 400) states.delete(facts.stateOf(call.line.n - 0.5))
      return answer
    },
    async close() {
      sender.close()
      await Promise.all(removed)
      server.server.closeAllConnections()
      await server.close()
      if (faults[0]) throw faults[0]
    },
  }
}
