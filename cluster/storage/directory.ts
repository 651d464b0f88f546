import { Unavailable } from '../../db/world.ts'
import type { Image } from './image.ts'

/** A world that belongs to this node until another one claims it. */
export interface Claim {
  world: number
  /** The life of the node that has claimed it. */
  node: string
  /** The stored state that is the world's present one. */
  state: number
  /** Increases with every claim of the world. */
  epoch: number
  /** Number of the last entry in the log of the state. */
  seq: number
  /** While the node itself replaces the state; resolves with whether the next one is served. */
  replacement?: Promise<boolean>
  /** What is known of the world besides its data, as JSON, when it was claimed. */
  record: string | null
}

/** The world belongs to another node, or is gone: what was not stored yet never will be. */
export class Moved extends Unavailable {}

/** A newer version has opened the world: servers of that version can claim it. */
export class NewerWorld extends Unavailable {}

/** A world that another live node owns. */
export interface WorldPlace {
  world: number
  node: { id: string; url: string | null }
}

/** A world of the cluster. */
export interface ListedWorld {
  id: number
  /** What is known of it besides its data, as JSON. */
  record: string | null
  /** Of the files of all its states. */
  bytes: number
  /** No live node owns it. */
  isFree: boolean
}

/** A named state of a world besides its present one. */
export interface SavedState {
  name: string
  /** As JSON. */
  details: string | null
  /** Of its file. */
  bytes: number
}

/** The name of the state that `reset` restores. */
export const START = 'start'
/** Names of snapshots begin with it. */
export const SNAPSHOT = 'snapshot:'

/** A state of a world; the present one has no name. */
export interface StoredState extends Omit<SavedState, 'name' | 'bytes'> {
  name: string | null
  image: Image
}

/** The worlds as they are stored. Calls need no claim; they reject with DatabaseUnavailable. */
export interface WorldReader {
  worlds(): Promise<ListedWorld[]>
  /** The highest number that a world may have had. */
  lastNumber(): Promise<number>
  /** Reads the present state. Undefined if there is no such world. Throws DamagedLog. */
  read(world: number): Promise<Image | undefined>
  saved(world: number): Promise<SavedState[]>
  /** Undefined if there is none of that name. Throws DamagedLog. */
  loadSaved(world: number, name: string): Promise<Image | undefined>
  /** Calls `onState` with each state of a world, in turn: all as they were at one moment. Throws DamagedLog. */
  readAll(world: number, onState: (state: StoredState) => Promise<void>): Promise<void>
}

/**
 * The states of all worlds, and which node owns each: what the nodes of a cluster share. Calls reject with
 * DatabaseUnavailable, and those with a claim with Moved when the world has another owner by now.
 */
export interface Directory extends WorldReader {
  /** Identifies this life of the node: a new one begins when others have taken its worlds. */
  readonly node: string
  /** Whether other live nodes share the database. */
  hasOthers(): Promise<boolean>
  /** The monotonic time (`performance.now()`) until which this node may answer for its worlds. */
  until(): number
  /** With this key nodes sign the requests that they send to each other. */
  key(): Promise<Buffer>
  /** A number that no world has had. */
  nextWorld(): Promise<number>
  /** Stores a new world, which this node then owns. `file`: path of its database, which does not change meanwhile. */
  create(world: number, file: string, record: string | null): Promise<Claim>
  /**
   * Makes this node the owner of a world that has none, or whose owner has not renewed its lease. Resolves with where it
   * is if another live node owns it, with undefined if there is no such world.
   */
  claim(world: number): Promise<Claim | WorldPlace | undefined>
  /** Gives a world up: any node may claim it. */
  release(claim: Claim): Promise<void>
  /** Reads the present state: its chunks with the entries of its log applied. Throws DamagedLog. */
  load(claim: Claim): Promise<Image>
  /** Stores the next log entry, number `claim.seq + 1`, and counts it in `claim`. */
  append(claim: Claim, entry: Buffer): Promise<void>
  /** Moves the log of the present state into its chunks. Throws DamagedLog. */
  fold(claim: Claim): Promise<void>
  /** Replaces the present state. The claim before ends, and with it appends that are in flight. */
  replace(claim: Claim, file: string): Promise<Claim>
  /** Removes a world with all its states. */
  remove(claim: Claim): Promise<void>
  setRecord(claim: Claim, record: string | null): Promise<void>
  /** Stores a named state in place of one that has the name; `claim` is absent while the world is being created. */
  save(world: number, state: Omit<SavedState, 'bytes'>, file: string, claim?: Claim): Promise<void>
  /** False if there is none of that name. */
  deleteSaved(claim: Claim, name: string): Promise<boolean>
  /** Gives all worlds up. */
  close(): Promise<void>
}
