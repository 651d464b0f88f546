'use strict'

const fs = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { cachedDataVersionTag, setFlagsFromString } = require('node:v8')
const { constants, runInThisContext, Script } = require('node:vm')
const { crc32 } = require('node:zlib')

// Loads the files of the program with the code that V8 compiled for an earlier process. Node's own compile cache is taken
// before a file runs, and so lacks the functions that are compiled when they are first called: most of those of a start.

/** Ms from the first load until compiled code is written: a server has started by then. */
const DELAY_MS = 5000
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000
const CHECKSUM_BYTES = 4

const modules = new Map()
/** Files whose compiled code was not found: script, and where its code goes. */
let missing = []
/** Those of servers: bin/v8_flags.ts. */
const serverFlags = require('./v8_flags.json').filter(
  ({ since = 0 }) => Number.parseInt(process.versions.node, 10) >= since,
)
/** V8 accepts only code with this number: it stands for its version and flags. */
const version = withServerFlags(cachedDataVersionTag)

/**
 * Returns the exports of a CommonJS file, which may require others of its folder. `ownFolder`: where compiled code is, unless a
 * variable of Node names another place; by default the user's own, because a shared one could be written by others.
 */
exports.load = function load(path, ownFolder = userFolder()) {
  const { NODE_COMPILE_CACHE: given, NODE_DISABLE_COMPILE_CACHE: isOff } = process.env
  const folder = given ? join(given, 'mercadito') : ownFolder
  // Some test runners have a context of their own for each test file.
  const isMainContext = runInThisContext('Object') === Object
  if (!folder || isOff || !isMainContext) return require(path)
  if (modules.size === 0) {
    setTimeout(writeMissing, DELAY_MS).unref()
    process.on('exit', (code) => code === 0 && writeMissing())
  }
  const requireOther = createRequire(path)
  return loadFile(path)

  function loadFile(file) {
    const known = modules.get(file)
    if (known) return known.exports
    const module = { exports: {} }
    modules.set(file, module)
    const requireOne = (id) => (id.startsWith('./') ? loadFile(join(dirname(file), id)) : requireOther(id))
    compile(file, folder)(module.exports, requireOne, module, file, dirname(file))
    return module.exports
  }
}

/** The function of a file. Apart, because the `require` of a file would keep the bytes of its code alive. */
function compile(file, folder) {
  const source = readBytes(file).latin1Slice()
  const cached = join(folder, `${basename(file, '.cjs')}-${crc32(source).toString(16)}-${version.toString(16)}`)
  const code = `(function(exports,require,module,__filename,__dirname){${source}\n})`
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const options = { filename: file, cachedData: readCode(cached), importModuleDynamically }
  const script = withServerFlags(() => new Script(code, options))
  if (script.cachedDataRejected !== false) missing.push([script, cached])
  return script.runInThisContext()
}

/** Calls a function with the flags of a server. */
function withServerFlags(make, [{ flag, initial }, ...others] = serverFlags) {
  const before = cachedDataVersionTag()
  setFlagsFromString(flag)
  const isNew = cachedDataVersionTag() !== before
  try {
    return others.length > 0 ? withServerFlags(make, others) : make()
  } finally {
    if (isNew) setFlagsFromString(initial)
  }
}

function userFolder() {
  try {
    return join(homedir(), '.cache', 'mercadito', 'code')
  } catch {
    // The user has no home folder.
    return undefined
  }
}

/** The code in a file that is whole, and that no other user has written; undefined without one. */
function readCode(path) {
  try {
    const bytes = readBytes(path, isOwn)
    const code = bytes?.subarray(0, -CHECKSUM_BYTES)
    return code && crc32(code) === bytes.readUInt32LE(code.length) ? code : undefined
  } catch {
    return undefined
  }
}

const isOwn = ({ uid, mode }) => !process.getuid || (uid === process.getuid() && (mode & 0o022) === 0)

/**
 * The bytes of a file, if it is accepted by what is known of it. The memory of a resizable buffer is not malloc's: glibc keeps
 * what is freed later, up to twice the size of the largest block that was freed before.
 */
function readBytes(path, isAccepted = () => true) {
  const file = fs.openSync(path)
  try {
    const stats = fs.fstatSync(file)
    if (!isAccepted(stats)) return undefined
    const bytes = Buffer.from(new ArrayBuffer(stats.size, { maxByteLength: stats.size }))
    let end = 0
    for (let read = -1; end < bytes.length && read !== 0; end += read) read = fs.readSync(file, bytes.subarray(end))
    return bytes.subarray(0, end)
  } finally {
    fs.closeSync(file)
  }
}

/** What cannot be written is compiled again by the next process. */
function writeMissing() {
  const scripts = missing
  missing = []
  try {
    for (const [script, path] of scripts)
      writeCode(
        withServerFlags(() => script.createCachedData()),
        path,
      )
    if (scripts.length > 0) removeOld(dirname(scripts[0][1]))
  } catch {
    // No space, or not the user's folder.
  }
}

function writeCode(code, path) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES)
  checksum.writeUInt32LE(crc32(code))
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const written = `${path}.${process.pid}`
  fs.writeFileSync(written, Buffer.concat([code, checksum]), { mode: 0o600 })
  fs.renameSync(written, path)
}

/** Of other versions, and of processes that ended while they wrote. */
function removeOld(folder) {
  for (const name of fs.readdirSync(folder)) {
    const path = join(folder, name)
    if (Date.now() - fs.statSync(path).mtimeMs > MAX_AGE_MS) fs.rmSync(path)
  }
}
