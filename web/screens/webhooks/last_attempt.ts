import { useEffect, useState } from 'preact/hooks'
import { read } from '../../world/client.ts'
import { epoch } from '../../world/stream.ts'
import type { Attempt, Delivery } from './deliveries.ts'

/** Ms that a row must be in sight: scrolling quickly reads nothing. */
const DELAY_MS = 100
const MAX_ENTRIES = 2000
/** Finished attempts do not change; another state of the world has another epoch. */
const cache = new Map<string, Attempt | undefined>()

/** The last attempt of a delivery, which lists leave out. */
export function useLastAttempt({ id, attempts }: Delivery): Attempt | undefined {
  const key = `${epoch.value}:${id}:${attempts}`
  const [, render] = useState({})
  useEffect(() => {
    if (attempts === 0 || cache.has(key)) return
    const controller = new AbortController()
    const load = async () => {
      const { tries } = await read('GET /deliveries/{id}', { path: { id }, signal: controller.signal })
      if (cache.size >= MAX_ENTRIES) cache.clear()
      cache.set(key, tries.at(-1))
      render({})
    }
    // A row without its bar is no error: opening it shows one.
    const timer = setTimeout(() => void load().catch(() => {}), DELAY_MS)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [key])
  return cache.get(key)
}
