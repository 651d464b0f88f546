/** Resolves at the first signal; a second one ends the program at once. */
export const waitForSignal = () =>
  new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
