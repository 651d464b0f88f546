import { build } from '../app.ts'
import type { DeliveryLine } from '../control/recording/format.ts'
import { populateFromFile } from '../control/world_file/import.ts'
import { scanFile } from '../control/world_file/temp_files.ts'
import { createTemporaryFolder } from '../db/folders.ts'
import { DEFAULT_WORLD, type Populate } from '../db/worlds.ts'
import { type Attempt, failedAttempt } from '../domains/notifications/outbound/attempt.ts'
import { createClient } from '../lib/cli/client.ts'
import { temporaryRoot } from '../lib/temporary_root.ts'
import { seededKey } from '../scenarios/index.ts'
import { createSender } from './send.ts'
import type { Target } from './target.ts'

/** Any receiver may be set, because nothing is sent. */
const ALLOWLIST = ['0.0.0.0/0', '::/0']
const NETWORK_POLICY = { isExposed: false, allowlist: ALLOWLIST }

/** A target that can be looked at when the replay has ended. */
export interface OwnTarget extends Target {
  /** Forbids changes; returns the base addresses of the worlds by their numbers in the recording. */
  publish(): Map<number, string>
}

/** A server of its own, in this process. Receivers answer notifications as they did; nothing is sent to them. */
export async function openOwnTarget(deliveries: DeliveryLine[], isDeterministic: boolean): Promise<OwnTarget> {
  /** Numbers of the worlds here, by those of the recording. */
  const numbers = new Map<number, number>()
  const results = createResults(deliveries)
  const faults: Error[] = []
  let isReadOnly = false
  const { server, worlds, listenOn } = await build({
    ...{ folder: createTemporaryFolder(temporaryRoot()), mode: 'temporary', scenario: 'empty', seed: 1, now: 0 },
    secret: false,
    allowlist: ALLOWLIST,
    isReadOnly: () => isReadOnly,
    onFault: (error) => faults.push(error),
    interceptAttempt: async ({ id }, { topic, resource, attempts }) => {
      const recorded = [...numbers].find(([, number]) => number === id)?.[0]
      return results.take(`${recorded} ${topic} ${resource} ${attempts}`)
    },
  })
  await listenOn({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  const url = `http://127.0.0.1:${port}`
  const sender = createSender(url)
  const baseOf = (world: number | null) => `/w/${(world !== null && numbers.get(world)) || 0}`
  return {
    hasOtherIds: !isDeterministic,
    hasReceivers: true,
    async load({ world, scenario, seed, deterministic }, file) {
      const { members } = await scanFile(file)
      const key = deterministic ? seededKey(scenario, seed, world) : undefined
      const populate: Populate = (draft, id) =>
        populateFromFile(file, members, { switches: {}, secret: false, key, networkPolicy: NETWORK_POLICY })(draft, id)
      const known = numbers.get(world) ?? (world === DEFAULT_WORLD ? DEFAULT_WORLD : undefined)
      if (known !== undefined) await worlds.replace(known, populate, { start: true })
      numbers.set(world, known ?? (await worlds.create(populate, { start: true })))
    },
    send: (world, call) => sender.send({ ...call, target: baseOf(world) + call.target }),
    sendControl: (world, call) => sender.send({ ...call, target: baseOf(world) + call.target }),
    async control(world, call, body) {
      await createClient(url + baseOf(world)).call(call, body)
    },
    publish() {
      isReadOnly = true
      return new Map([...numbers.keys()].map((world) => [world, url + baseOf(world)]))
    },
    async close() {
      sender.close()
      server.server.closeAllConnections()
      await server.close()
      if (faults[0]) throw faults[0]
    },
  }
}

/** What receivers answered, in the order of the recording. */
function createResults(deliveries: DeliveryLine[]) {
  const byKey = Map.groupBy(
    deliveries,
    ({ world, topic, resource, attempt }) => `${world} ${topic} ${resource} ${attempt}`,
  )
  return {
    take(key: string): Attempt {
      const result = byKey.get(key)?.shift()
      if (!result) return failedAttempt('the recording has no answer of the receiver')
      const { ms, http_code, headers, body, error } = result
      return { ms, http_code, headers, body, truncated: false, error }
    },
  }
}
