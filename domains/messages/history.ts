import type { Draft } from '../../db/sqlite/draft.ts'

/** Deletes the messages after `now` (world ms); those that were read later are not read yet. */
export function trimHistory(draft: Draft, { now }: { now: number }): void {
  draft.run('DELETE FROM message WHERE date_created > :now', { now })
  draft.run('UPDATE message SET date_read = NULL WHERE date_read > :now', { now })
}
