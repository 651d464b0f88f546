import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyTooLarge } from './errors/errors.ts'
import { stateOf } from './request_state.ts'

/** Bytes that the body of an upload may have [spec: http.body.upload]. */
const MAX_UPLOAD_BYTES = 25 * 1024 * 1024
const MAX_FILES = 10
const MAX_PART_HEADER_BYTES = 8 * 1024
const FIRST_BYTES = 16
const MAX_NAME_CHARACTERS = 300

/** A file of an upload: what is known of it after it has arrived. */
export interface UploadedFile {
  /** Name of its part. */
  name: string
  filename: string
  bytes: number
  /** Its first bytes. */
  head: Buffer
  /** The whole file, where the route keeps it and it is not larger than that; else undefined. */
  content: Buffer | undefined
}

/** The schema of a body that is a file, which is named `file`. */
export const uploadBody = (description: string) => ({
  'x-read': 'route',
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object',
        properties: { file: { type: 'string', format: 'binary', description } },
        'x-read': 'route',
      },
    },
  },
})

/** The file of such a body; undefined: it has none. */
export const fileOfBody = (files: unknown): UploadedFile | undefined =>
  Array.isArray(files) ? (files as UploadedFile[]).find(({ name }) => name === 'file') : undefined

/**
 * The routes of this context get the files of a multipart body: `body` is `UploadedFile[]`. They declare `upload: true`.
 * Files of at most `keep` bytes are kept.
 */
export function acceptUploads(app: FastifyInstance, { keep = 0 } = {}): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    readFiles(request, payload as unknown as Readable, keep).then((files) => done(null, files), done)
  })
}

/** Reads the files of a body as it arrives. Throws 413 for a body that is, or says that it is, too large. */
function readFiles(request: FastifyRequest, payload: Readable, keep: number): Promise<UploadedFile[]> {
  const { contentType = '' } = stateOf(request.raw)
  const tooLarge = () => Object.assign(bodyTooLarge(MAX_UPLOAD_BYTES), { headers: { connection: 'close' } })
  if (Number(request.headers['content-length'] ?? 0) > MAX_UPLOAD_BYTES) return Promise.reject(tooLarge())
  const reader = createMultipartReader(boundaryOf(contentType), keep)
  let bytes = 0
  return new Promise((resolve, reject) => {
    payload.on('data', (chunk: Buffer | string) => {
      bytes += chunk.length
      if (bytes > MAX_UPLOAD_BYTES) reject(tooLarge())
      else reader.add(Buffer.from(chunk as Buffer))
    })
    payload.once('error', reject)
    payload.once('end', () => {
      stateOf(request.raw).bodySummary = summaryOf(reader.files, bytes)
      resolve(reader.files)
    })
  })
}

/** What the journal has in place of the body. */
const summaryOf = (files: readonly UploadedFile[], bytes: number): string =>
  [
    `(${bytes} bytes, which are not kept)`,
    ...files.map(({ name, filename, bytes }) => `${name}: ${JSON.stringify(filename)}, ${bytes} bytes`),
  ].join('\n')

/** The boundary of a multipart content type; undefined if it is another one. */
function boundaryOf(contentType: string): string | undefined {
  const [, quoted, plain] =
    /^multipart\/form-data\s*;.*?\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  return quoted ?? plain
}

/** Reads the parts of a multipart body, each byte a fixed number of times; besides files to keep, it has one chunk and one header. */
function createMultipartReader(boundary: string | undefined, keep: number) {
  const files: UploadedFile[] = []
  /** The parts of the present file that have arrived. */
  let kept: Buffer[] = []
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  // The first delimiter may stand at the start.
  let rest: Buffer = Buffer.from('\r\n')
  let state = (boundary === undefined ? 'end' : 'content') as 'content' | 'delimiter' | 'header' | 'end'
  let file: UploadedFile | undefined

  const isAtEnd = () => state === 'end'

  /** Whether there is more to read in `rest`. */
  function step(): boolean {
    if (state === 'content') return readContent()
    if (state === 'delimiter') return readEndOfDelimiter()
    return state === 'header' && readHeader()
  }

  function readContent(): boolean {
    const at = rest.indexOf(delimiter)
    const end = at < 0 ? Math.max(0, rest.length - delimiter.length + 1) : at
    if (file) {
      if (file.head.length < FIRST_BYTES)
        file.head = Buffer.concat([file.head, rest.subarray(0, Math.min(end, FIRST_BYTES - file.head.length))])
      file.bytes += end
      if (file.bytes <= keep) kept.push(Buffer.from(rest.subarray(0, end)))
    }
    if (at >= 0 && file) file.content = file.bytes <= keep ? Buffer.concat(kept) : undefined
    if (at >= 0) kept = []
    rest = rest.subarray(at < 0 ? end : at + delimiter.length)
    if (at >= 0) state = 'delimiter'
    return at >= 0
  }

  function readEndOfDelimiter(): boolean {
    if (rest.length < 2) return false
    state = rest[0] === 0x2d && rest[1] === 0x2d ? 'end' : 'header'
    return true
  }

  function readHeader(): boolean {
    const at = rest.indexOf('\r\n\r\n')
    if (at < 0) {
      if (rest.length > MAX_PART_HEADER_BYTES) state = 'end'
      return false
    }
    const lines = rest.toString('utf8', 0, Math.min(at, MAX_PART_HEADER_BYTES))
    file = fileOf(lines)
    if (file && files.length < MAX_FILES) files.push(file)
    rest = rest.subarray(at + 4)
    state = 'content'
    return true
  }

  return {
    files,
    add(chunk: Buffer) {
      if (isAtEnd()) return
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      while (step());
      if (isAtEnd()) rest = Buffer.alloc(0)
    },
  }
}

/** The file that the header of a part announces; undefined: the part is no file. */
function fileOf(header: string): UploadedFile | undefined {
  const [, name] = /[;\s]name="([^"\r\n]*)"/i.exec(header) ?? []
  const [, filename] = /[;\s]filename="([^"\r\n]*)"/i.exec(header) ?? []
  if (name === undefined || filename === undefined) return undefined
  const cut = (text: string) => text.slice(0, MAX_NAME_CHARACTERS)
  return { name: cut(name), filename: cut(filename), bytes: 0, head: Buffer.alloc(0), content: undefined }
}
