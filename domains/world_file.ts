import type { Static, TObject } from '@sinclair/typebox'
import type { Q } from '../db/engine.ts'
import type { NetworkPolicy } from './notifications/outbound/network_policy.ts'
import type { ItemIndex, UserIndex } from './shared/world_file/indexes.ts'

/** A domain's part of a world file. */
export interface WorldFileSection {
  /** Domains whose lists come first, in the file and in an import: elements may refer to theirs. */
  after: string[]
  /** By name, in the order of the file. */
  lists: Record<string, WorldFileList>
  /** Role of each table of the domain in an export; a missing table fails a test. */
  tables: Record<string, TableRole>
}

/** `exported`: its rows are in the file. `derived`: an import computes it. `omitted`: it is not exported. */
type TableRole = 'exported' | 'derived' | 'omitted'

/** A list of a world file. Create it with `worldFileList`, which infers the type of its elements. */
export interface WorldFileList<Element extends TObject = TObject> {
  description: string
  /** An export leaves out members that have the default of their schema. */
  element: Element
  maxElements: number
  /** An export without elements does not have it: versions that do not know it can load the file. */
  isOmittedIfEmpty?: true
  /** Writes the elements into a new world. Called for a list that the file does not have, too. */
  import(context: ImportContext, list: ListReader<Static<Element>>): Promise<void>
  /** The elements in pages, in a fixed order. */
  export(context: ExportContext): AsyncIterable<object[]>
}

export const worldFileList = <Element extends TObject>(list: WorldFileList<Element>) => list as WorldFileList

/** The elements of one list of a file. */
export interface ListReader<Element> {
  /** Whether the file has the list. */
  isPresent: boolean
  /** Parses and validates one element after the other; `place` is its place in error messages, such as `items[3]`. */
  each(importElement: (element: Element, place: string) => Promise<void>): Promise<void>
}

/** The world that an import writes. */
export interface ImportContext {
  q: Q
  /** The world's number. */
  id: number
  key: string
  /** World time, ms; the default of instants. */
  now: number
  /** Ms; times in the contact tables are relative to it. */
  origin: number
  /** The last assigned number of each kind, as far as the file has it. */
  counters: Record<string, number>
  networkPolicy: NetworkPolicy
  users: UserIndex
  items: ItemIndex
  /** Ids of the applications, by their position in the file. */
  applications: number[]
  hasList(name: string): boolean
  /** Call it after writing rows; it yields to the event loop every few milliseconds. */
  rowsWritten(rows: number): Promise<void>
  /** Ms of an instant of the file, or the world's now. */
  instantOf(place: string, text: string | undefined): number
}

/** The world that an export reads. */
export interface ExportContext {
  q: Q
  /** The world's number. */
  id: number
  /** Ms; times in the contact tables are relative to it. */
  origin: number
  /** Names that replace all tokens and secrets. Without it a file has those that a caller chose. */
  nameSecret?: NameSecret | undefined
}

/** The name of a secret, which is a valid token or secret itself; the same secret has the same name. */
export type NameSecret = (kind: 'token' | 'secret', secret: string) => string
