import { words } from '../words/index.ts'

/** A HTTP status; colour and number say the same. null: the connection was closed without an answer. */
export function Status({ code, isLong = false }: { code: number | null; isLong?: boolean }) {
  return (
    <span class="badge mono" data-tone={toneOf(code)}>
      {code ?? (isLong ? words().noResponse : '–')}
    </span>
  )
}

const toneOf = (code: number | null): 'good' | 'warn' | 'bad' | 'info' =>
  code === null || code >= 500 ? 'bad' : code >= 400 ? 'warn' : code >= 300 ? 'info' : 'good'

/** Such a call can be explained. */
export const isRefused = (code: number | null): boolean => code !== null && code >= 400

export const Method = ({ name }: { name: string }) => (
  <span class="method" data-method={name === 'GET' || name === 'HEAD' ? 'read' : 'write'}>
    {name}
  </span>
)
