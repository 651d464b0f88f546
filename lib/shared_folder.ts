import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryFolder, type Folder } from '../db/folders.ts'
import { openTemplates, type Templates } from '../scenarios/templates.ts'
import { temporaryRoot } from './temporary_root.ts'

/** Shared by the sandboxes of a process: one locked folder, and the templates of their worlds. */
interface SharedFolder {
  templates: Templates
  /** A folder for one sandbox. */
  folder(): Folder
}

let shared: SharedFolder | undefined

/** Exists until the process ends: tests open many sandboxes. The next sweep removes the folder of a killed process. */
export function sharedFolder(): SharedFolder {
  shared ??= openSharedFolder()
  return shared
}

function openSharedFolder(): SharedFolder {
  const { path, release } = createTemporaryFolder(temporaryRoot())
  const createSubfolder = (name: string) => {
    const folder = join(path, name)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
  const templates = openTemplates(createSubfolder('templates'))
  process.once('exit', () => {
    templates.close()
    release()
  })
  let count = 0
  return {
    templates,
    folder() {
      const subfolder = createSubfolder(`sandbox-${++count}`)
      return { path: subfolder, release: () => rmSync(subfolder, { recursive: true, force: true }) }
    },
  }
}
