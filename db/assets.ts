import { readFileSync } from 'node:fs'
import { getRawAsset, isSea } from 'node:sea'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * What the build made beside the program: migrations, scenarios, documents. The path is the same from source and
 * bundle; a single executable has them inside. Throws when the build has not been run. Nobody may write to the bytes:
 * in an executable they are the file's own pages.
 */
export const asset = (name: string): Buffer => (isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(placeOf(name)))
const placeOf = (name: string) => new URL(`../dist/assets/${name}`, import.meta.url)

/** A thread that runs a script which the build made. */
export const threadOf = (name: string, how: WorkerOptions): Worker =>
  isSea() ? new Worker(asset(name).toString(), { ...how, eval: true }) : new Worker(placeOf(name), how)
