import type { Q } from '../../db/engine.ts'
import { withoutAccents } from '../shared/texts.ts'
import type { SiteId } from '../users/sites.ts'
import { attributesOf } from './attributes.ts'
import { type CategoryNode, leavesOf } from './categories.ts'
import { titlesOfSite } from './queries.ts'

/** Titles that are compared; older listings say nothing new about a category. */
const MAX_TITLES = 2000

/** Words of three characters or more, without accents, case, plural and gender. */
const wordsOf = (text: string): string[] =>
  withoutAccents(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= 3)
    .map((word) => (word.length > 4 ? word.replace(/s$/, '').replace(/[aeo]$/, '') : word))

export interface Match {
  node: CategoryNode
  /** Share of the words that the name of the category, or a title in it, has. */
  share: number
}

/** The categories that a text may be about, the best first [spec: catalogue.discovery]. */
export async function matchCategories(q: Q, site_id: SiteId, text: string): Promise<Match[]> {
  const asked = [...new Set(wordsOf(text))]
  const shares = new Map<string, { share: number; n: number }>()
  const compare = (category_id: string, title: string) => {
    const words = new Set(wordsOf(title))
    const share = asked.filter((word) => words.has(word)).length / asked.length
    if (!(share > 0)) return
    const best = shares.get(category_id) ?? { share: 0, n: 0 }
    shares.set(category_id, { share: Math.max(best.share, share), n: best.n + 1 })
  }
  const leaves = leavesOf(site_id).filter(({ leaf }) => leaf!.domain !== null)
  for (const { id, name } of leaves) compare(id, name)
  for (const { title, category_id } of await titlesOfSite(q, site_id, MAX_TITLES))
    if (category_id !== null) compare(category_id, title)
  return leaves
    .flatMap((node) => ({ node, ...(shares.get(node.id) ?? { share: 0, n: 0 }) }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || b.n - a.n)
}

/** The category of a match with the values of its attributes that the text names. */
export function presentMatch({ node }: Match, text: string) {
  const words = new Set(wordsOf(text))
  const named = attributesOf(node).flatMap(({ id, name, values }) => {
    const value = values.find((one) => wordsOf(one.name).some((word) => words.has(word)))
    return value ? [{ id, name, value_id: value.id, value_name: value.name }] : []
  })
  return {
    domain_id: `${node.site_id}-${node.leaf!.domain}`,
    domain_name: node.name,
    category_id: node.id,
    category_name: node.name,
    attributes: named,
  }
}
