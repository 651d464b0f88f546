import type { SeenCall } from './calls.ts'

/** The parts of HAR 1.2 that stubs are made from. */
interface Entry {
  request?: { method?: unknown; url?: unknown; postData?: { text?: unknown; mimeType?: unknown } }
  response?: { status?: unknown; content?: { text?: unknown; mimeType?: unknown; encoding?: unknown } }
}

export const isHar = (document: unknown): document is { log: { entries: Entry[] } } =>
  Array.isArray((document as { log?: { entries?: unknown } } | null)?.log?.entries)

/** The calls of a HAR file; `host`: only those to this one. */
export const callsOfHar = ({ log }: { log: { entries: Entry[] } }, host: string | undefined): SeenCall[] =>
  log.entries.flatMap(({ request = {}, response = {} }) => {
    if (!URL.canParse(textOf(request.url))) return []
    const url = new URL(textOf(request.url))
    if (host !== undefined && url.host !== host) return []
    const { content = {} } = response
    const answer = textOf(content.text)
    return [
      {
        method: textOf(request.method).toUpperCase(),
        target: url.pathname + url.search,
        body: request.postData && textOf(request.postData.text),
        bodyType: request.postData && textOf(request.postData.mimeType),
        status: Number(response.status),
        answerType: textOf(content.mimeType),
        answer: content.encoding === 'base64' ? Buffer.from(answer, 'base64').toString() : answer,
      },
    ]
  })

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
