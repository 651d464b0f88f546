import { parseRecord } from '../../db/worlds/records.ts'
import type { WorldDescription, Worlds } from '../../db/worlds.ts'
import type { Directory, ListedWorld } from './directory.ts'

/** The worlds of all servers, as they were when the list was read. */
export class WorldList {
  readonly #directory: Pick<Directory, 'worlds'>
  #worlds = new Map<number, ListedWorld>()
  /** Numbers of reads: the last one that has begun, and the one that the list is from. */
  #reads = 0
  #current = 0
  #lastFree = 0

  constructor(directory: Pick<Directory, 'worlds'>) {
    this.#directory = directory
  }

  async refresh(): Promise<void> {
    const read = ++this.#reads
    const worlds = await this.#directory.worlds()
    // A read that began earlier, and ends later, does not know the latest worlds.
    if (read < this.#current) return
    this.#current = read
    this.#worlds = new Map(worlds.map((world) => [world.id, world]))
  }

  ids(): number[] {
    return [...this.#worlds.keys()]
  }

  has(id: number): boolean {
    return this.#worlds.has(id)
  }

  /** A world that no server has, each in turn: some cannot be claimed. */
  nextFree(): number | undefined {
    const free = [...this.#worlds.values()].filter(({ isFree }) => isFree)
    this.#lastFree = (free.find(({ id }) => id > this.#lastFree) ?? free[0])?.id ?? 0
    return this.#lastFree || undefined
  }

  /** `describeLocal`: of worlds in the folder. */
  describe(ids: readonly number[], describeLocal: Worlds['describe']): WorldDescription[] {
    return describeLocal(ids).map(({ usedAt, id }) => {
      const { record, bytes } = this.#worlds.get(id) ?? { record: null, bytes: 0 }
      return { usedAt, ...parseRecord(record ?? '{}'), id, bytes }
    })
  }
}
