import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf, AnyEvent, Call, ControlEvent } from '../../lib/types.ts'
import { type CallError, type InputOf, type OwnCall, orNull, ownCalls, read } from './client.ts'
import { epoch, firstAttempt, onEvents } from './stream.ts'
import { throttle } from './throttle.ts'

const REFRESH_MS = 500

/** What a component shows: old data stay while new ones load. */
export interface Loaded<T> {
  data: T | undefined
  error: CallError | undefined
  /** Loads again. */
  again(): void
}

/** After such an event: one of these types, or one that matches. */
export type RefreshOn = readonly AnyEvent['type'][] | ((event: AnyEvent) => boolean)

export interface LoadOptions {
  /** Loads again when this changes; usually the filters. */
  key?: unknown
  /** Loads again after such an event; after a control call of this page at once. */
  refreshOn?: RefreshOn
  /** Ms between two loads that events cause. Default: 500. */
  refreshMs?: number
}

/** Loads the answer of a control call, and loads it again when events say so or were missed. */
export const useCall = <C extends Call>(call: C, input: Omit<InputOf<C>, 'signal'>, options: LoadOptions = {}) =>
  useLoad<AnswerOf<C>>((signal) => read(call, ...([{ ...input, signal }] as never)), {
    key: JSON.stringify(input),
    ...options,
  })

/** The same of something that may not exist: null. */
export const useFound = <C extends Call>(call: C, input: Omit<InputOf<C>, 'signal'>, options: LoadOptions = {}) =>
  useLoad<AnswerOf<C> | null>((signal) => orNull(read(call, ...([{ ...input, signal }] as never))), {
    key: JSON.stringify(input),
    ...options,
  })

export function useLoad<T>(
  load: (signal: AbortSignal) => Promise<T>,
  { key, refreshOn, refreshMs }: LoadOptions = {},
): Loaded<T> {
  const [state, setState] = useState<Omit<Loaded<T>, 'again'>>({ data: undefined, error: undefined })
  const [round, setRound] = useState(0)
  const again = () => setRound((n) => n + 1)

  useEffect(() => {
    const controller = new AbortController()
    const set: typeof setState = (next) => controller.signal.aborted || setState(next)
    firstAttempt
      .then(() => load(controller.signal))
      .then(
        (data) => set({ data, error: undefined }),
        (error: CallError) => set(({ data }) => ({ data, error })),
      )
    return () => controller.abort()
  }, [key, round, epoch.value])

  useEffect(() => {
    if (!refreshOn) return
    const matches = typeof refreshOn === 'function' ? refreshOn : ({ type }: AnyEvent) => refreshOn.includes(type)
    const againSoon = throttle(REFRESH_MS, again)
    const onOwnCall = (call: OwnCall) => {
      if (matches({ type: 'control', ...call } as ControlEvent)) againSoon()
    }
    ownCalls.add(onOwnCall)
    const stop = onMatchingEvents(matches, again, refreshMs)
    return () => {
      ownCalls.delete(onOwnCall)
      againSoon.cancel()
      stop()
    }
  }, [])
  return { ...state, again }
}

/**
 * Reads something when the page opens, and again whenever all loads again; answers of earlier times are dropped. Returns a
 * function that reads it now. Without an answer the strip says so.
 */
export function keepReading<T>(load: () => Promise<T>, onAnswer: (answer: T) => void): () => void {
  const run = () => {
    const round = epoch.peek()
    firstAttempt.then(load).then(
      (answer) => round === epoch.peek() && onAnswer(answer),
      () => {},
    )
  }
  epoch.subscribe(run)
  return run
}

/** Calls `run` soon after matching events, at most once in `ms`. */
export function onMatchingEvents(matches: (event: AnyEvent) => boolean, run: () => void, ms = REFRESH_MS): () => void {
  const runSoon = throttle(ms, run)
  const stop = onEvents((events) => {
    if (events.some(matches)) runSoon()
  })
  return () => {
    stop()
    runSoon.cancel()
  }
}
