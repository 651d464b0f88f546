import { readFileSync } from 'node:fs'
import { getRawAsset, isSea } from 'node:sea'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * A file that the build wrote: migrations, scenarios, documents. A single executable contains them. Throws ENOENT
 * before the first build. Do not modify the bytes: in an executable they are read-only pages.
 */
export const readAsset = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(assetUrl(name))
/** The path is the same from source and from the bundle. */
const assetUrl = (name: string) => new URL(`../dist/assets/${name}`, import.meta.url)

/** Starts a thread with a script that the build wrote. */
export const createWorker = (name: string, options: WorkerOptions): Worker =>
  isSea() ? new Worker(readAsset(name).toString(), { ...options, eval: true }) : new Worker(assetUrl(name), options)
