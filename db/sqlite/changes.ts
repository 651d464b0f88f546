import type Sqlite from 'better-sqlite3'

/** Positions of a tree with a commit of their own; of more, the two lowest share one. */
const MAX_POSITIONS = 64

/** A table or an index of an open file: each is a tree of its own. A position in it is a value of `writesAt`. */
export class Tree {
  /** The last commit at each position, without those that had a later one before it: both numbers grow. */
  readonly #changes: { at: number; commit: number }[] = []

  /** Call it before a unit writes, with the number of its commit. */
  note(commit: number, at: number): void {
    const changes = this.#changes
    while (changes.length > 0 && changes.at(-1)!.at >= at) changes.pop()
    changes.push({ at, commit })
    if (changes.length > MAX_POSITIONS) changes.splice(0, 2, { at: changes[0]!.at, commit: changes[1]!.commit })
  }

  /** The number of the last commit that has changed something before a position. */
  lastCommitBefore = (position: number): number => this.#changes.findLast(({ at }) => at < position)?.commit ?? 0
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
      const tree = this.#trees.get(number) ?? new Tree()
      this.#trees.set(number, tree)
      return tree
    })
  }

  /** Call it before a statement of a unit writes to `trees`; if it is known where, with the lowest position. */
  noteWrite(trees: readonly Tree[], at = Number.NEGATIVE_INFINITY): void {
    for (const tree of trees) tree.note(this.commits + 1, at)
  }

  /** Call it before a statement of a unit of which nothing is known. */
  noteAnyWrite(): void {
    this.#changedAny = this.commits + 1
  }

  /** Whether no commit after the one with this number has changed any of them before a position. */
  areUnchangedSince(commit: number, trees: readonly Tree[], before = Number.POSITIVE_INFINITY): boolean {
    if (commit === this.commits) return true
    return this.#changedAny <= commit && trees.every((tree) => tree.lastCommitBefore(before) <= commit)
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
