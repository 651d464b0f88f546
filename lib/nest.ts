import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Folder, temporaryFolder } from '../db/folders.ts'
import { type Templates, templatesIn } from '../scenarios/templates.ts'
import { temporaryHome } from './home.ts'

/** What the sandboxes of a process share: one locked folder, and the templates that their worlds are copies of. */
interface Nest {
  templates: Templates
  /** A folder for one sandbox. */
  folder(): Folder
}

let nest: Nest | undefined

/**
 * It stays as long as the process: tests open one sandbox after the other. A process that was killed leaves it to the
 * next sweep.
 */
export function sharedNest(): Nest {
  nest ??= openNest()
  return nest
}

function openNest(): Nest {
  const { path, release } = temporaryFolder(temporaryHome())
  const at = (name: string) => {
    const folder = join(path, name)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  }
  const templates = templatesIn(at('templates'))
  process.once('exit', () => {
    templates.close()
    release()
  })
  let made = 0
  return {
    templates,
    folder() {
      const own = at(`sandbox-${++made}`)
      return { path: own, release: () => rmSync(own, { recursive: true, force: true }) }
    },
  }
}
