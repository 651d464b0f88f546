import type { ComponentChildren } from 'preact'
import { visible } from './text.ts'

/** Names with their values; a value that is a text is of others. Pairs without a value are left out. */
export const Facts = ({ of: pairs }: { of: (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {pairs.map(([name, value]) =>
      value === null || value === undefined ? null : (
        <div key={name}>
          <dt>
            <bdi>{visible(name)}</bdi>
          </dt>
          <dd>{typeof value === 'string' ? <bdi>{visible(value)}</bdi> : value}</dd>
        </div>
      ),
    )}
  </dl>
)
