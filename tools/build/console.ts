import { createHash } from 'node:crypto'
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { constants, gzipSync } from 'node:zlib'
import { build, type Metafile, type Plugin } from 'esbuild'
import type { Language, Texts } from '../../web/words/words.ts'
import { at, root } from '../root.ts'

/**
 * Builds the console into `dist/assets`: gzipped files with flat names, because an executable has no folders, and the list
 * of them with their ETags. Returns what they were made from.
 */
export async function buildConsole(): Promise<Metafile> {
  const { outputFiles, metafile } = await bundle()
  for (const path of globSync(at('dist/assets/console.*'))) rmSync(path, { force: true })
  const files: Record<string, string> = {}
  for (const { path, contents } of outputFiles) {
    const name = basename(path)
    files[name] = `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`
    writeFileSync(at(`dist/assets/${name}.gz`), gzipSync(contents, { level: constants.Z_BEST_COMPRESSION }))
  }
  writeFileSync(at('dist/assets/console.files.json'), JSON.stringify(files))
  const page = readFileSync(at('web/index.html'), 'utf8').replace('{{preload}}', preloads(metafile).join('\n'))
  writeFileSync(at('dist/assets/console.index.html'), page)
  return metafile
}

/** Links to the files that the first one imports: the browser would find them one after the other. */
function preloads({ outputs }: Metafile): string[] {
  const importsOf = (path: string): string[] =>
    outputs[path]!.imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? [path, ...importsOf(path)] : []))
  const paths = new Set(importsOf('dist/assets/console.app.js'))
  return [...paths].map((path) => `<link rel="modulepreload" nonce="{{nonce}}" href="${basename(path)}">`)
}

/** The packages in the console, for the lists of licences. */
export const consoleMetafile = async (): Promise<Metafile> => (await bundle()).metafile

const bundle = () =>
  build({
    absWorkingDir: root,
    entryPoints: {
      'console.app': 'web/main.tsx',
      'console.style': 'web/app.css',
      'console.screens': 'web/screens/screens.css',
    },
    outdir: 'dist/assets',
    chunkNames: 'console.[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    platform: 'browser',
    // `light-dark()` and Trusted Types need browsers of 2024, which have these features.
    target: 'es2023',
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    plugins: [textsByLanguage],
  })

/** `import('./texts.ts', { with: { language } })` has each text in that language only, and so have the texts that it imports. */
const textsByLanguage: Plugin = {
  name: 'texts by language',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/texts\.ts$/ }, ({ path, resolveDir, with: attributes, pluginData }) => {
      const language: Language = attributes.language ?? pluginData.language
      const file = resolve(resolveDir, path)
      // The files that the browser loads have the language in their name.
      return { path: file.replace(/\.ts$/, `_${language}.ts`), namespace: 'texts', pluginData: { language, file } }
    })
    onLoad({ filter: /./, namespace: 'texts' }, async ({ pluginData }) => {
      const { language, file } = pluginData
      const source = readFileSync(file, 'utf8')
      const { texts } = await import(`${pathToFileURL(file)}?${statSync(file).mtimeMs}`)
      const isOfOneScreen = source.includes('satisfies Texts')
      const contents = isOfOneScreen ? `export const texts = ${JSON.stringify(inLanguage(texts, language))}` : source
      return { contents, loader: 'ts', resolveDir: dirname(file), pluginData }
    })
  },
}

const inLanguage = (texts: Texts, language: Language): object =>
  Object.fromEntries(
    Object.entries(texts).map(([name, value]) => [name, value[language] ?? inLanguage(value as Texts, language)]),
  )
