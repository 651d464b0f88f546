import type { ComponentChildren } from 'preact'
import { visible } from './text.tsx'

/** Names with values, in a `<Facts>`. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

export const Facts = ({ children }: { children: ComponentChildren }) => <dl class="facts">{children}</dl>

type Pair = readonly [name: string, value: ComponentChildren]

/** Texts of others, or elements; pairs without a value are left out. */
export function FactList({ of: pairs }: { of: Pair[] }) {
  const known = pairs.filter(([, value]) => value !== null && value !== undefined)
  if (known.length === 0) return null
  return (
    <Facts>
      {known.map(([name, value]) => (
        <Fact key={name} name={visible(name)}>
          {typeof value === 'string' ? <bdi>{visible(value)}</bdi> : value}
        </Fact>
      ))}
    </Facts>
  )
}
