import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { currentCause } from '../../db/causes.ts'
import { realNow } from '../../db/clock.ts'
import { Ring, RingBudget } from '../../db/ring.ts'
import type { Generation, Restoration, World } from '../../db/world.ts'
import { stateOf } from '../request_state.ts'
import type { CallCause, CountedWrite } from './call_cause.ts'
import { CallRing } from './call_ring.ts'
import { type ControlCall, createControlCall } from './control_call.ts'
import { createEntry, type Entry } from './journal_entry.ts'

/** A change of the world's state, after which its journal continued or began. */
export interface Mark {
  change: Restoration['change'] | 'load'
  /** Of the snapshot. */
  name: string | null
  /** Who made the control call; null: not known. */
  by: string | null
  /** Id of the last request before it. */
  after: number
  /** Real time, ms. */
  at: number
}

/** The latest calls of a world, in one of its generations or in several. */
export interface Journal {
  /** Calls of the emulated API. */
  readonly requests: CallRing
  /** Control calls that may have changed the world. */
  readonly control: Ring<ControlCall>
  /** The latest of them. */
  readonly marks: Mark[]
  /** Removes the requests and marks; ids continue. */
  clear(): void
}

/** The journals of all worlds, in bounded memory. */
export interface Journals {
  of(generation: Generation): Journal
  /**
   * Records a call with its answer; `status` null if there is none, `isSent` false if its client has gone. Its
   * RequestState then has its id.
   */
  record(request: FastifyRequest, status: number | null, answer: unknown, isSent?: boolean): void
  /** Records a call that is the same as a recorded one, and has the same answer. */
  recordAgain(raw: IncomingMessage, world: World, entry: Entry): void
  /** Records a control call. */
  recordControl(request: FastifyRequest, status: number): void
}

const MAX_ENTRIES = 1000
/** Control calls of one world, and of all. */
export const MAX_CONTROL_CALLS = 1000
const MAX_TOTAL_CONTROL_CALLS = 20_000
const MAX_MARKS = 100
/** Bytes of one world, and of all. */
const MAX_WORLD_BYTES = 4 * 1024 * 1024
const MAX_TOTAL_BYTES = 64 * 1024 * 1024
export const JOURNAL_LIMITS = {
  journal_requests: MAX_ENTRIES,
  journal_world_bytes: MAX_WORLD_BYTES,
  journal_bytes: MAX_TOTAL_BYTES,
}

interface StoredJournal extends Journal {
  /** Its last generation has ended. */
  isOver: boolean
}

export function openJournals(maxTotalBytes = MAX_TOTAL_BYTES): Journals {
  const journals = new WeakMap<Generation, StoredJournal>()
  const requestBudget = new RingBudget(maxTotalBytes)
  const controlBudget = new RingBudget(MAX_TOTAL_CONTROL_CALLS)

  function journalOf(generation: Generation): StoredJournal {
    const existing = journals.get(generation)
    if (existing) return existing
    const created: StoredJournal = {
      requests: new CallRing(MAX_ENTRIES, { budget: requestBudget, sizeOf: sizeOfEntry, maxSize: MAX_WORLD_BYTES }),
      control: new Ring(MAX_CONTROL_CALLS, { budget: controlBudget }),
      marks: [],
      isOver: false,
      clear() {
        this.requests.clear()
        this.marks.length = 0
      },
    }
    attach(created, generation)
    return created
  }

  function attach(journal: StoredJournal, generation: Generation): void {
    journals.set(generation, journal)
    generation.onEnd.push((change, next) => {
      const { change: kind, name, keepsJournal } = change
      if (!keepsJournal) end(journal)
      if (!next || kind === 'deleted' || kind === 'moved') return
      if (keepsJournal) attach(journal, next)
      const { marks, requests } = journalOf(next)
      if (marks.length === MAX_MARKS) marks.shift()
      const { by = null } = (currentCause() as CallCause | undefined) ?? {}
      marks.push({ after: requests.next - 1, change: kind, name, by, at: realNow() })
    })
  }

  function end(journal: StoredJournal): void {
    journal.isOver = true
    journal.clear()
    journal.control.clear()
  }

  /** The journal of a request. Undefined if it ended with the state that the request uses. */
  function currentJournal({ generation, isRetired }: World): StoredJournal | undefined {
    if (!isRetired) return journalOf(generation)
    const journal = journals.get(generation)
    return journal?.isOver ? undefined : journal
  }

  return {
    of: journalOf,
    record(request, status, answer, isSent = true) {
      const { raw, world } = request
      const state = stateOf(raw)
      if (!world || state.isInternal) return
      // A stub changes nothing but its count.
      const write = state.stubId === null && isWrite(raw.method, status) ? count(world, 'writes') : undefined
      if (write) announceWrite(world.generation)
      const requests = currentJournal(world)?.requests
      if (!requests) return
      const sent = isSent ? { status, answer } : { status: null, answer: null }
      const entry = createEntry(request, { id: requests.next, ...sent, write })
      requests.append(entry)
      state.journalId = entry.id
    },
    recordAgain(raw, world, entry) {
      const requests = currentJournal(world)?.requests
      if (requests) appendAgain(requests, entry, raw, world)
    },
    recordControl(request, status) {
      const { world } = request
      if (!world) return
      const isWrite = status < 400 && !request.routeOptions.config.keepsState
      const write = isWrite ? count(world, 'controlCalls') : undefined
      const control = currentJournal(world)?.control
      control?.append(createControlCall(request, { id: control.next, status, write }))
    },
  }
}

const sizeOfEntry = ({ size }: Entry): number => size

function appendAgain(requests: CallRing, entry: Entry, raw: IncomingMessage, { clock }: World): void {
  const state = stateOf(raw)
  state.violation = entry.violation
  state.journalId = requests.next
  const { receivedAt: at } = state
  requests.appendAgain(entry, { at, world_time: clock.peek(), ms: realNow() - at })
}

/** Counts a write in the history of its world. A retired world has been replaced: nothing of it can be undone. */
function count({ isRetired, generation }: World, counter: keyof Generation['counts']): CountedWrite | undefined {
  if (isRetired) return undefined
  const { history, counts } = generation
  return { history, n: ++counts[counter] }
}

function announceWrite(generation: Generation): void {
  const { onWrite } = generation
  if (!onWrite) return
  generation.onWrite = undefined
  onWrite()
}

const WRITE_METHODS = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
/** Whether a call of the emulated API may have changed something. */
const isWrite = (method: string | undefined, status: number | null): boolean =>
  WRITE_METHODS.has(method ?? '') && status !== null && status < 400
