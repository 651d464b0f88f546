import type Sqlite from 'better-sqlite3'

/** A table or an index of an open file: each is a tree of its own. */
export interface Tree {
  /** The number of the last commit that has changed it; of the next one as soon as a unit writes to it. */
  changedBy: number
}

/** The part of a connection that prepares statements. */
export interface StatementSource {
  prepare(sql: string): Sqlite.Statement<unknown[], unknown>
}

interface Explained {
  sql: string
  /** The number of its values. */
  parameters: number
  isWrite: boolean
}

interface Operation {
  opcode: string
  p1: number
  p2: number
}

/** Counts the commits to an open file, and knows which tables and indexes they have changed. */
export class Changes {
  /** Number of commits so far. */
  commits = 0
  #changedAny = 0
  readonly #trees = new Map<number, Tree>()

  /**
   * What a statement changes, or reads if it changes nothing, from the program that SQLite has made of it: a count in an
   * index does not read the table, and an update does not change the indexes without the columns that it sets.
   */
  treesOf(source: StatementSource, { sql, parameters, isWrite }: Explained): readonly Tree[] {
    const program = source.prepare(`EXPLAIN ${sql}`).all(...Array(parameters).fill(null)) as Operation[]
    const treeNumber = isWrite ? writtenTree : readTree
    const numbers = new Set(program.map(treeNumber).filter((number) => number !== undefined))
    return [...numbers].map((number) => {
      const tree = this.#trees.get(number) ?? { changedBy: 0 }
      this.#trees.set(number, tree)
      return tree
    })
  }

  /** Call it before a statement of a unit writes to `trees`. */
  noteWrite(trees: readonly Tree[]): void {
    for (const tree of trees) tree.changedBy = this.commits + 1
  }

  /** Call it before a statement of a unit of which nothing is known. */
  noteAnyWrite(): void {
    this.#changedAny = this.commits + 1
  }

  /** Whether no commit after the one with this number has changed any of them. */
  areUnchangedSince(commit: number, trees: readonly Tree[]): boolean {
    if (commit === this.commits) return true
    return this.#changedAny <= commit && trees.every(({ changedBy }) => changedBy <= commit)
  }
}

// The number of the tree that an operation opens.

const readTree = ({ opcode, p2 }: Operation): number | undefined =>
  opcode === 'OpenRead' || opcode === 'ReopenIdx' ? p2 : undefined

function writtenTree({ opcode, p1, p2 }: Operation): number | undefined {
  if (opcode === 'VUpdate') throw new Error('no statement may write to a virtual table: what it changes is not known')
  if (opcode === 'Clear') return p1
  return opcode === 'OpenWrite' ? p2 : undefined
}
