import type { FastifyRequest } from 'fastify'
import { Ring, RingBudget } from '../db/ring.ts'
import type { Generation } from '../db/world.ts'
import { type ControlCall, createControlCall } from './control_call.ts'
import { createEntry, type Entry } from './journal_entry.ts'
import { stateOf } from './request_state.ts'

/** The latest calls of one generation of a world. */
export interface Journal {
  /** Calls of the emulated API. */
  readonly requests: Ring<Entry>
  /** Requests that were evicted. */
  readonly dropped: number
  /** Control calls that may have changed the world. */
  readonly control: Ring<ControlCall>
  /** Removes the requests; ids continue. */
  clear(): void
}

/** The journals of all worlds, in bounded memory. */
export interface Journals {
  of(generation: Generation): Journal
  /** Records a call with its answer; `status` null if none was sent. */
  record(request: FastifyRequest, status: number | null, answer: unknown): void
  /** Records a control call. */
  recordControl(request: FastifyRequest, status: number): void
}

const MAX_ENTRIES = 1000
/** Control calls of one world, and of all. */
const MAX_CONTROL_CALLS = 1000
const MAX_TOTAL_CONTROL_CALLS = 20_000
/** Bytes of one world, and of all. */
const MAX_WORLD_BYTES = 4 * 1024 * 1024
const MAX_TOTAL_BYTES = 64 * 1024 * 1024

interface CountedJournal extends Journal {
  dropped: number
  bytes: number
}

export function openJournals(maxTotalBytes = MAX_TOTAL_BYTES): Journals {
  const journals = new WeakMap<Generation, CountedJournal>()
  // In insertion order: the journal used last is last.
  const journalsByUse = new Set<CountedJournal>()
  let lastUsed: CountedJournal | undefined
  let bytes = 0
  const controlBudget = new RingBudget(MAX_TOTAL_CONTROL_CALLS)

  function journalOf(generation: Generation): CountedJournal {
    let journal = journals.get(generation)
    if (!journal) {
      const control = new Ring<ControlCall>(MAX_CONTROL_CALLS, controlBudget)
      const created = createJournal(control, (n) => {
        bytes -= n
      })
      journal = created
      journals.set(generation, created)
      generation.onEnd.push(() => {
        created.clear()
        control.clear()
        removeJournal(created)
      })
    }
    return journal
  }

  function removeJournal(journal: CountedJournal): void {
    journalsByUse.delete(journal)
    if (lastUsed === journal) lastUsed = undefined
  }

  function append(journal: CountedJournal, entry: Entry): void {
    if (lastUsed !== journal) {
      journalsByUse.delete(journal)
      journalsByUse.add(journal)
      lastUsed = journal
    }
    const { requests } = journal
    if (requests.next - requests.first === MAX_ENTRIES) dropOldest(journal)
    journal.bytes += entry.size
    bytes += entry.size
    requests.append(entry)
    while (journal.bytes > MAX_WORLD_BYTES) dropOldest(journal)
    while (bytes > maxTotalBytes) {
      const [oldest] = journalsByUse
      dropOldest(oldest!)
      if (oldest!.requests.first === oldest!.requests.next) removeJournal(oldest!)
    }
  }

  function dropOldest(journal: CountedJournal): void {
    const { size } = journal.requests.dropOldest()
    journal.dropped++
    journal.bytes -= size
    bytes -= size
  }

  return {
    of: journalOf,
    record(request, status, answer) {
      const { raw, world } = request
      // A retired world has been replaced, and its journal with it.
      if (!world || world.isRetired || stateOf(raw).isInternal) return
      const journal = journalOf(world.generation)
      append(journal, createEntry(request, journal.requests.next, status, answer))
    },
    recordControl(request, status) {
      const { world } = request
      if (!world || world.isRetired) return
      const { control } = journalOf(world.generation)
      control.append(createControlCall(request, control.next, status))
    },
  }
}

function createJournal(control: Ring<ControlCall>, onRemove: (bytes: number) => void): CountedJournal {
  const requests = new Ring<Entry>(MAX_ENTRIES)
  return {
    requests,
    control,
    bytes: 0,
    dropped: 0,
    clear() {
      onRemove(this.bytes)
      requests.clear()
      this.bytes = 0
      this.dropped = 0
    },
  }
}
