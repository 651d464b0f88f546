import { visible } from './text.ts'

/** Text of the server with `code` in it. */
export const Marked = ({ text }: { text: string }) => (
  <>
    {visible(text)
      .split('`')
      .map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}
  </>
)
