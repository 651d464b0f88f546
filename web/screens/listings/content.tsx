import { foreign } from '../../parts/values.tsx'
import { number } from '../../words/words.ts'
import { wordsOf } from '../words.ts'
import type { Item } from './form.tsx'

const w = wordsOf('listings')

/** What buyers read of it. Texts are users': pictures are named, not shown. */
export function Content({ item: { attributes, variations, pictures, description } }: { item: Item }) {
  const lines: [title: string, lines: string[]][] = [
    [w.attributes, attributes.map(({ name, value_name }) => `${name}: ${value_name ?? ''}`)],
    [
      w.variations,
      variations.map(({ attribute_combinations, available_quantity = 0 }) => {
        const of = attribute_combinations.map(({ name, value_name }) => `${name}: ${value_name ?? ''}`)
        return `${of.join(', ')} · ${w.stock}: ${number(available_quantity)}`
      }),
    ],
    [w.pictures, pictures.map(({ secure_url }) => secure_url)],
    [w.description, description?.split('\n') ?? []],
  ]
  return lines
    .filter(([, texts]) => texts.length > 0)
    .map(([title, texts]) => (
      <section key={title}>
        <h3>{title}</h3>
        {texts.map((text, n) => (
          <p key={n}>{foreign(text)}</p>
        ))}
      </section>
    ))
}
