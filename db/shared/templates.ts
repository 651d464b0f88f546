import type { Database } from './database.ts'
import type { Image } from './image.ts'
import { hashesOf, insertState, type NewState, readTemplate, type Template } from './states.ts'

/** States that share fewer chunks with a template become templates themselves. */
const MIN_SHARED = 0.5

/** States that new ones are stored against: worlds of one scenario differ in a few chunks. */
export class Templates {
  readonly #database: Pick<Database, 'query' | 'transaction'>
  readonly #known = new Map<number, Template>()

  constructor(database: Pick<Database, 'query' | 'transaction'>) {
    this.#database = database
  }

  /** An image with the template that has most of its chunks; it becomes one itself if none has half of them. */
  async for(image: Image): Promise<NewState> {
    const hashes = hashesOf(image)
    return { image, hashes, template: await this.#closest(image, hashes) }
  }

  async #closest(image: Image, hashes: Buffer[]): Promise<Template> {
    const known = closest(hashes, [...this.#known.values()])
    if (known) return known
    await this.#refresh()
    return closest(hashes, [...this.#known.values()]) ?? (await this.#add(image, hashes))
  }

  /** Other nodes add templates, too. */
  async #refresh(): Promise<void> {
    const rows = await this.#database.query<{ id: number }>('SELECT id FROM mercadito.state WHERE world IS NULL')
    for (const { id } of rows)
      if (!this.#known.has(id)) this.#known.set(id, await readTemplate(this.#database.query, id))
  }

  async #add(image: Image, hashes: Buffer[]): Promise<Template> {
    const state = await this.#database.transaction((query) =>
      insertState(query, { world: null, name: null }, { image, hashes }),
    )
    const template = { state, hashes }
    this.#known.set(state, template)
    return template
  }
}

function closest(hashes: Buffer[], templates: Template[]): Template | undefined {
  const shared = ({ hashes: others }: Template) => hashes.filter((hash, n) => others[n]?.equals(hash)).length
  const [best] = templates.map((template) => ({ template, n: shared(template) })).sort((a, b) => b.n - a.n)
  return best && best.n >= hashes.length * MIN_SHARED ? best.template : undefined
}
