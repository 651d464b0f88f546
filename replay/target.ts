import type { StateLine } from '../control/recording/format.ts'
import type { RawCall, ReplayAnswer } from './send.ts'

/** The worlds in which a recording is replayed. */
export interface Target {
  /** Ids that follow from the key of a world differ from those of the recording. */
  hasOtherIds: boolean
  /** Receivers of notifications answer as they did; else notifications go to the inbox of each world. */
  hasReceivers: boolean
  /** Replaces a world of the recording by the one in a file, which later resets restore. */
  load(state: StateLine, file: string): Promise<void>
  /** Sends a call to a world of the recording; null: to no world. */
  send(world: number | null, call: RawCall): Promise<ReplayAnswer>
  /** Sends a control call; throws a CliError if it fails. */
  control(world: number, call: string, body?: unknown): Promise<void>
  /** Sends a recorded control call. */
  sendControl(world: number, call: RawCall): Promise<ReplayAnswer>
  /** Deletes what was made. */
  close(): Promise<void>
}
