import type { BrowserContext } from 'playwright-core'

/** Ms between a request of a page and its being sent, and between a message of a stream and the page. */
const DELAY_MS = 300

/** Delays all that pages get, as a busy machine does. A journey that fails then does not wait for what it means. */
export async function slowDown(context: BrowserContext): Promise<void> {
  await context.route('**/_sandbox/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, DELAY_MS))
    // The page may have gone on to another address.
    await route.continue().catch(() => {})
  })
  await context.addInitScript(delayStreams, DELAY_MS)
}

/** Runs in the page. A stream that was aborted brings nothing that is still delayed. */
function delayStreams(delay: number): void {
  const { fetch } = globalThis
  globalThis.fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer
    const late = new TransformStream<Uint8Array, Uint8Array>({
      async transform(chunk, controller) {
        await new Promise((resolve) => setTimeout(resolve, delay))
        init?.signal?.throwIfAborted()
        controller.enqueue(chunk)
      },
    })
    return new Response(answer.body!.pipeThrough(late), answer)
  }
}
