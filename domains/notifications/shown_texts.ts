import { redact, redactTokens, SECRETS } from '../../http/journal/redaction.ts'

interface AttemptTexts {
  url: string
  error: string | null
  body: string
}

/** The texts of an attempt without secrets, which a receiver may have sent back. */
export const shownTexts = ({ url, error, body }: AttemptTexts): AttemptTexts => ({
  url: redactTokens(url),
  error: error && redactTokens(error),
  body: body && redact(body, SECRETS.response),
})
