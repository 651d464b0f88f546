import { writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { CommitLog } from '../../db/sqlite/commit_log.ts'
import { Unavailable } from '../../db/world.ts'
import { type FileStore, parseStateName, type StateKey, stateName } from '../../db/worlds/files.ts'
import { type Claim, type Directory, type SavedState, SNAPSHOT, START } from './directory.ts'
import type { Image } from './image.ts'
import type { PageCache } from './log_entry.ts'
import { SharedLog } from './shared_log.ts'

/** The claims of this node, and where the files of its worlds are stored. */
export class Ownership implements FileStore {
  readonly #directory: Directory
  readonly #cache: PageCache
  readonly #onError: (error: Error) => void
  readonly #claims = new Map<number, Claim>()
  /** By the name of the state file. A file that was replaced keeps its claim, with which nothing can be stored. */
  readonly #claimsByFile = new Map<string, Claim>()
  readonly #replacing = new Map<number, (isServed: boolean) => void>()
  /** Records of worlds that are being created. */
  readonly #newRecords = new Map<number, string>()

  constructor(directory: Directory, cache: PageCache, onError: (error: Error) => void) {
    this.#directory = directory
    this.#cache = cache
    this.#onError = onError
  }

  /** Ms for which this node may answer for its worlds, unless it renews its lease. */
  leaseMs(): number {
    return Math.max(0, this.#directory.until() - performance.now())
  }

  isLeased(): boolean {
    return this.leaseMs() > 0
  }

  /** Whether a world is among them. */
  owns(id: number): boolean {
    return this.isLeased() && this.#claims.get(id)?.node === this.#directory.node
  }

  /**
   * Claims a world and writes its present state to `file`. Undefined if there is no such world. Rejects with NotOwned if
   * another node has it.
   */
  async claim(key: StateKey, file: string): Promise<Claim | undefined> {
    const claim = await this.#directory.claim(key.id)
    if (!claim) return undefined
    if (!('epoch' in claim)) throw new NotOwned(key.id, claim.node.url)
    await writeImage(await this.#directory.load(claim), file)
    this.#setClaim(key, claim)
    return claim
  }

  #setClaim(key: StateKey, claim: Claim): void {
    this.#claims.set(key.id, claim)
    this.#claimsByFile.set(stateName(key), claim)
  }

  /** Forgets claims that have ended, or have no use. */
  drop(id: number): void {
    this.#claims.delete(id)
    for (const [name, claim] of this.#claimsByFile) if (claim.world === id) this.#claimsByFile.delete(name)
  }

  /** Ends a claim, so that any node may have the world. */
  async giveUp(id: number): Promise<void> {
    const claim = this.#claims.get(id)
    this.drop(id)
    if (claim) await this.#directory.release(claim)
  }

  openLog(file: string): CommitLog {
    const name = basename(file)
    const claim = this.#claimsByFile.get(name)
    if (!claim) throw new NotOwned(parseStateName(name)!.id, null)
    return new SharedLog(file, claim, { directory: this.#directory, cache: this.#cache, onError: this.#onError })
  }

  async hasStart(id: number): Promise<boolean> {
    return (await this.#directory.saved(id)).some(({ name }) => name === START)
  }

  async snapshots(id: number): Promise<SavedState[]> {
    const states = await this.#directory.saved(id)
    return states.flatMap((state) =>
      state.name.startsWith(SNAPSHOT) ? [{ ...state, name: state.name.slice(SNAPSHOT.length) }] : [],
    )
  }

  async loadStart(id: number, file: string): Promise<void> {
    await writeImage((await this.#directory.loadSaved(id, START))!, file)
  }

  async loadSnapshot(id: number, name: string, file: string): Promise<void> {
    await writeImage((await this.#directory.loadSaved(id, SNAPSHOT + name))!, file)
  }

  async storeState(key: StateKey, file: string): Promise<void> {
    const { id } = key
    const claim = this.#claims.get(id)
    const next = await (claim
      ? this.#replace(claim, file)
      : this.#directory.create(id, file, this.#newRecords.get(id) ?? null))
    this.#newRecords.delete(id)
    this.#setClaim(key, next)
  }

  #replace(claim: Claim, file: string): Promise<Claim> {
    claim.replacement = new Promise((resolve) => this.#replacing.set(claim.world, resolve))
    return this.#directory.replace(claim, file)
  }

  stateReplaced(id: number, isServed: boolean): void {
    this.#replacing.get(id)?.(isServed)
    this.#replacing.delete(id)
  }

  async storeStart(id: number, file: string): Promise<void> {
    await this.#directory.save(id, { name: START, details: null }, file, this.#claims.get(id))
  }

  async storeSnapshot(id: number, name: string, file: string, details: string): Promise<void> {
    await this.#directory.save(id, { name: SNAPSHOT + name, details }, file, this.#claimOf(id))
  }

  async deleteSnapshot(id: number, name: string): Promise<void> {
    await this.#directory.deleteSaved(this.#claimOf(id), SNAPSHOT + name)
  }

  async storeRecord(id: number, record: string): Promise<void> {
    const claim = this.#claims.get(id)
    if (claim) await this.#directory.setRecord(claim, record)
    else this.#newRecords.set(id, record)
  }

  async remove(id: number): Promise<void> {
    await this.#directory.remove(this.#claimOf(id))
    this.drop(id)
  }

  #claimOf(id: number): Claim {
    const claim = this.#claims.get(id)
    if (!claim) throw new NotOwned(id, null)
    return claim
  }
}

export async function writeImage(image: Image, file: string): Promise<void> {
  await writeFile(file, image.chunks())
}

/** A world cannot be served here now: another node owns it, or the lease of this one has ended. */
export class NotOwned extends Unavailable {
  readonly world: number
  /** Where its owner can be reached; null: not known. */
  readonly url: string | null

  constructor(world: number, url: string | null, message = `world ${world} is served by another server now`) {
    // A stack trace takes longer than finding the owner, and is never shown.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.world = world
    this.url = url
  }
}
