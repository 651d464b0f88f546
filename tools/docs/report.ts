/** Counts checks and prints a TAP line for each. */
export interface Report {
  /** Runs a check; a thrown error is a failure, with its message. */
  check(title: string, run: () => unknown): Promise<void>
  skip(title: string, reason: string): void
  /** Prints the count; returns whether all passed. */
  close(): boolean
}

export function createReport(print: (text: string) => void): Report {
  let passed = 0
  let failed = 0
  return {
    async check(title, run) {
      const began = performance.now()
      const time = () => `# time=${Math.round(performance.now() - began)}ms`
      try {
        await run()
        print(`ok ${++passed + failed} - ${title} ${time()}\n`)
      } catch (error) {
        failed++
        print(
          `not ok ${passed + failed} - ${title} ${time()}\n  ${(error as Error).message.replaceAll('\n', '\n  ')}\n`,
        )
      }
    },
    skip: (title, reason) => print(`# skipped, ${reason}: ${title}\n`),
    close() {
      print(`\n${passed} passed, ${failed} failed\n`)
      return failed === 0
    },
  }
}
