import type { DeliveryLine } from '../control/recording/format.ts'
import { DEFAULT_WORLD } from '../db/worlds.ts'
import { type Attempt, failedAttempt } from '../domains/notifications/outbound/attempt.ts'
import { seededKey } from '../scenarios/index.ts'
import { openOwnServer } from './own_server.ts'
import type { Target } from './target.ts'

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
  let isReadOnly = false
  const { url, load, send, control, close } = await openOwnServer({
    isReadOnly: () => isReadOnly,
    interceptAttempt: async ({ id }, { topic, resource, attempts }) => {
      const recorded = [...numbers].find(([, number]) => number === id)?.[0]
      return results.take(`${recorded} ${topic} ${resource} ${attempts}`)
    },
  })
  const numberOf = (world: number | null) => (world !== null && numbers.get(world)) || 0
  return {
    hasOtherIds: !isDeterministic,
    hasReceivers: true,
    async load({ world, scenario, seed, deterministic }, file) {
      const key = deterministic ? seededKey(scenario, seed, world) : undefined
      const known = numbers.get(world) ?? (world === DEFAULT_WORLD ? DEFAULT_WORLD : undefined)
      numbers.set(world, await load(file, known, key))
    },
    send: (world, call) => send(numberOf(world), call),
    sendControl: (world, call) => send(numberOf(world), call),
    control: (world, call, body) => control(numberOf(world), call, body),
    publish() {
      isReadOnly = true
      return new Map([...numbers].map(([world, number]) => [world, `${url}/w/${number}`]))
    },
    close,
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
