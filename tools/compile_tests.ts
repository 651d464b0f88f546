import { globSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type BuildOptions, build, context } from 'esbuild'
import { keepPaths } from './build/keep_paths.ts'
import { REQUIRE } from './build/program.ts'
import { sendSignal } from './gate/run_part.ts'
import { root } from './root.ts'

/** Of files that run alone; runs of many have a folder each, because the gate has several at a time. */
const FILES = 'dist/tests/files'
const runFolder = (pid: number | string) => `dist/tests/run-${pid}`

/** The bundles to run, and the files that they were made from. */
export interface CompiledTests {
  files: string[]
  inputs: string[]
}

/**
 * Bundles test files with what they import: loading the modules one by one takes 0.8 s of CPU in each process.
 * `isGrouped`: several tests in each bundle, without source maps, which cost another 0.25 s.
 */
export async function compileTests(
  tests: string[],
  { isGrouped, isAlone }: { isGrouped: boolean; isAlone: boolean },
): Promise<CompiledTests> {
  const out = isAlone ? FILES : createRunFolder()
  const { metafile } = await build(settingsOf(tests, isGrouped, out))
  return {
    files: isGrouped
      ? groupsOf(tests).map((group, n) => writeGroup(group, n, out))
      : tests.map((path) => compiledPath(path, out)),
    inputs: Object.keys(metafile.inputs),
  }
}

/** Bundles test files, and again after each change of a file that they import; `onCompiled` gets each result without errors. */
export async function watchTests(tests: string[], onCompiled: (compiled: CompiledTests) => void): Promise<void> {
  const settings = settingsOf(tests, false, FILES)
  const notify = {
    name: 'notify',
    setup: ({ onEnd }: Parameters<NonNullable<BuildOptions['plugins']>[0]['setup']>[0]) =>
      onEnd(({ errors, metafile }) => {
        if (errors.length === 0)
          onCompiled({ files: tests.map((path) => compiledPath(path, FILES)), inputs: Object.keys(metafile!.inputs) })
      }),
  }
  const watcher = await context({ ...settings, plugins: [...settings.plugins, notify] })
  await watcher.watch()
}

const settingsOf = (tests: string[], isGrouped: boolean, outdir: string) =>
  ({
    absWorkingDir: root,
    entryPoints: tests,
    outdir,
    outbase: 'test',
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    sourcemap: !isGrouped,
    external: ['tap', 'better-sqlite3', 'esbuild', '@redocly/cli'],
    logLevel: 'warning',
    banner: { js: REQUIRE },
    plugins: [isGrouped ? keepPaths(/\.test\.ts$/, useSubtest) : keepPaths()],
  }) satisfies BuildOptions

const compiledPath = (path: string, out: string) => path.replace(/^test\//, `${out}/`).replace(/\.ts$/, '.js')

/** The folder of this run, which is removed at its end; runs that were killed have left theirs. */
function createRunFolder(): string {
  const left = globSync(runFolder('*'), { cwd: root }).filter((path) => !sendSignal(Number(path.split('-').at(-1)), 0))
  const remove = (path: string) => rmSync(join(root, path), { recursive: true, force: true })
  left.forEach(remove)
  const folder = runFolder(process.pid)
  process.once('exit', () => remove(folder))
  return folder
}

/** Files that take longest are run first, in groups of their own. */
const LONGEST = /^test\/properties\//
/** Files of a group, if so many are left. */
const MIN_GROUP = 16

/**
 * Files that share a process in a grouped run: starting one takes longer than most files. The first groups are the largest,
 * so that all cores end at about the same time.
 */
function groupsOf(tests: string[]): string[][] {
  // In reverse, because the slower files come late in the alphabet.
  const ordered = tests.toReversed()
  const long = ordered.filter((path) => LONGEST.test(path))
  const others = ordered.filter((path) => !LONGEST.test(path))
  return [long, others].flatMap((left) => {
    const groups: string[][] = []
    while (left.length > 0) groups.push(left.splice(0, Math.max(MIN_GROUP, Math.ceil(left.length / 3))))
    return groups
  })
}

/** The subtest of the file that is being loaded: it scopes the hooks and teardowns of the file. */
const FILE_TEST = 'globalThis.testOfThisFile'
const TAP_IMPORT = /import t(?:, (\{[^}]*\}))? from 'tap'/

/** Lets a grouped test use the subtest of its file. */
function useSubtest(text: string): string {
  return text.replace(
    TAP_IMPORT,
    (_, types?: string) => `${types ? `import ${types} from 'tap'\n` : ''}const t = ${FILE_TEST}`,
  )
}

function writeGroup(group: string[], n: number, out: string): string {
  const file = `${out}/group-${n + 1}.js`
  const files = group.map((path) => `['${path}', './${compiledPath(path, out).slice(out.length + 1)}']`)
  writeFileSync(
    join(root, file),
    `import t from 'tap'
for (const [name, file] of [${files}])
  t.test(name, async (t) => {
    ${FILE_TEST} = t
    await import(file)
  })
`,
  )
  return file
}
