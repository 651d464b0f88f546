import { readFileSync } from 'node:fs'
import { getRawAsset, isSea } from 'node:sea'
import { Worker, type WorkerOptions } from 'node:worker_threads'

/**
 * What the build made beside the program: migrations, scenarios, documents. The path is the same from source and
 * bundle; a single executable has them inside. Throws when the build has not been run. Nobody may write to the bytes:
 * in an executable they are the file's own pages.
 */
export const readAsset = (name: string): Buffer =>
  isSea() ? Buffer.from(getRawAsset(name)) : readFileSync(assetUrl(name))
const assetUrl = (name: string) => new URL(`../dist/assets/${name}`, import.meta.url)

/** A thread that runs a script which the build made. */
export const createWorker = (name: string, options: WorkerOptions): Worker =>
  isSea() ? new Worker(readAsset(name).toString(), { ...options, eval: true }) : new Worker(assetUrl(name), options)
