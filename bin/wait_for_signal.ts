/** Signals that end a program in order; SIGHUP comes when its terminal closes. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Resolves at the first signal; a second one ends the program at once. */
export const waitForSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of STOP_SIGNALS) process.once(signal, () => resolve())
  })
