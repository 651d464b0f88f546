import type { Database } from './database.ts'
import { hashFile, type StateFile } from './state_file.ts'
import { insertState, type NewState, readTemplate, type Template } from './states.ts'

/** States that share fewer chunks with a template become templates themselves. */
const MIN_SHARED = 0.5

/** States that new ones are stored against: worlds of one scenario differ in a few chunks. */
export class Templates {
  readonly #database: Pick<Database, 'query' | 'transaction'>
  readonly #known = new Map<number, Template>()

  constructor(database: Pick<Database, 'query' | 'transaction'>) {
    this.#database = database
  }

  /** A file with the template that has most of its chunks; it becomes one itself if none has half of them. */
  async for(path: string): Promise<NewState> {
    const file = await hashFile(path)
    return { file, template: await this.#closest(file) }
  }

  async #closest(file: StateFile): Promise<Template> {
    const known = closest(file, [...this.#known.values()])
    if (known) return known
    await this.#refresh()
    return closest(file, [...this.#known.values()]) ?? (await this.#add(file))
  }

  /** Other nodes add templates, too. */
  async #refresh(): Promise<void> {
    const rows = await this.#database.query<{ id: number }>('SELECT id FROM mercadito.state WHERE world IS NULL')
    for (const { id } of rows)
      if (!this.#known.has(id)) this.#known.set(id, await readTemplate(this.#database.query, id))
  }

  async #add(file: StateFile): Promise<Template> {
    const state = await this.#database.transaction((query) => insertState(query, { world: null, name: null }, { file }))
    const template = { state, hashes: file.hashes }
    this.#known.set(state, template)
    return template
  }
}

function closest({ hashes }: StateFile, templates: Template[]): Template | undefined {
  const shared = ({ hashes: others }: Template) => hashes.filter((hash, n) => others[n]?.equals(hash)).length
  const [best] = templates.map((template) => ({ template, n: shared(template) })).sort((a, b) => b.n - a.n)
  return best && best.n >= hashes.length * MIN_SHARED ? best.template : undefined
}
