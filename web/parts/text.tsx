/** Characters that turn the direction of text, and control characters, which could show something else than was sent. */
const DECEIVING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** Text of others, with its invisible characters as codes. */
export const visible = (text: string): string =>
  text.replace(DECEIVING, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Text of the server with `code` in it. */
export const Marked = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split('`')
      .map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}
  </>
)
