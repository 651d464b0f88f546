interface Throttled {
  /** Runs soon: at once if it did not run for a while. */
  (): void
  /** Forgets a run that is due. */
  cancel(): void
}

/** Returns a function that runs `run` at most once in `ms`; calls meanwhile cause one more run. */
export function throttle(ms: number, run: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let last = Number.NEGATIVE_INFINITY
  const runNow = () => {
    timer = undefined
    last = performance.now()
    run()
  }
  return Object.assign(
    () => {
      timer ??= setTimeout(runNow, Math.max(0, last + ms - performance.now()))
    },
    {
      cancel() {
        clearTimeout(timer)
        timer = undefined
      },
    },
  )
}
