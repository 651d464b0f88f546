import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Options } from '../../app.ts'
import { createTemporaryFolder, openDataFolder } from '../../db/folders.ts'
import { start } from './app.ts'
import type { Owner } from './torture.ts'

/** Servers that keep their worlds in one folder, one after the other, until the test ends. */
export function keptServers(t: Owner, options: Partial<Options> = {}) {
  const parent = createTemporaryFolder(tmpdir())
  t.teardown(() => parent.release())
  const path = join(parent.path, 'kept')
  const open = (more: Partial<Options> = {}) =>
    start(t, { folder: openDataFolder(path), mode: 'kept', scenario: 'empty', ...options, ...more })
  return { path, open }
}
