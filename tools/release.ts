import { createHash } from 'node:crypto'
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import about from '../package.json' with { type: 'json' }
import { check } from './executable/check.ts'
import { checkImage } from './executable/check_image.ts'
import { currentPlatform, fileName, PLATFORMS } from './executable/platforms.ts'
import { buildExecutable } from './executable.ts'
import { buildPackage } from './package/build.ts'
import { check as checkPackage } from './package/check.ts'
import { changesOf } from './release/changes.ts'
import { at, root } from './root.ts'
import { run } from './run.ts'

// `npm run release` writes the files of a release to dist/release, and prints what a maintainer does by hand; with `-- --check` it
// also tries what this machine can run. Nothing is published.

const folder = at('dist/release')
const isChecked = process.argv.includes('--check')
const print = (text: string) => process.stdout.write(`${text}\n`)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const packed = await buildPackage()
cpSync(packed.path, join(folder, basename(packed.path)))
if (isChecked) await checkPackage(packed)

const executables = at('dist/executables')
rmSync(executables, { recursive: true, force: true })
for (const platform of PLATFORMS) await buildExecutable(platform)
for (const name of readdirSync(executables))
  if (name !== 'SHA256SUMS') cpSync(join(executables, name), join(folder, name))
if (isChecked && currentPlatform) {
  const file = join(executables, fileName(currentPlatform))
  await check(currentPlatform, file)
  if (currentPlatform.startsWith('linux')) await checkImage(file)
}

const image = `mercadito-${about.version}-image.tar.gz`
const context = [
  'Containerfile',
  'tools/image/layout.sh',
  ...globSync('dist/executables/mercadito-linux-{x64,arm64}', { cwd: root }),
]
run('tar', ['-czf', join(folder, image), ...context], { cwd: root })

const { text, todo } = changesOf(readFileSync(at('CHANGELOG.md'), 'utf8'), about.version)
writeFileSync(join(folder, 'CHANGES.md'), `${text}\n`)

const sha256 = (name: string) =>
  createHash('sha256')
    .update(readFileSync(join(folder, name)))
    .digest('hex')
const names = readdirSync(folder).sort()
writeFileSync(join(folder, 'SHA256SUMS'), names.map((name) => `${sha256(name)}  ${name}\n`).join(''))
if (isChecked) checkFiles()

print(`\ndist/release has ${names.length + 1} files:`)
for (const name of names) print(`${(statSync(join(folder, name)).size / 1e6).toFixed(1).padStart(7)} MB  ${name}`)
print('\nNothing was published. By hand:')
const others = PLATFORMS.filter((platform) => platform !== currentPlatform).map(fileName)
const steps = [
  ...(todo ? [`${todo}; run this again`] : []),
  'run `.ci/run`, commit, and tag the commit',
  `try what this machine cannot run: ${others.join(', ')}`,
  'on a Mac: `codesign --sign - FILE` for both mercadito-darwin files, then correct their checksums in SHA256SUMS and *.cdx.json',
  `build the image for each platform: \`docker build -t mercadito -f Containerfile - < dist/release/${image}\``,
  'sign SHA256SUMS with the key of the project',
  'upload the files and CHANGES.md to where your users find them. No name is reserved on npm or in a registry of images',
]
for (const [n, step] of steps.entries()) print(`${n + 1}. ${step}`)

/** Every executable has its list of components and its licences; the checksums are right. */
function checkFiles(): void {
  const wanted = PLATFORMS.map(fileName).flatMap((name) => [name, `${name}.cdx.json`, `${name}.licenses.txt`])
  const missing = [...wanted, image, basename(packed.path), 'CHANGES.md'].filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`not made: ${missing.join(', ')}`)
  for (const name of PLATFORMS.map(fileName)) {
    const { bomFormat, metadata } = JSON.parse(readFileSync(join(folder, `${name}.cdx.json`), 'utf8'))
    if (bomFormat !== 'CycloneDX' || metadata.component.hashes[0].content !== sha256(name))
      throw new Error(`${name}.cdx.json is not that of ${name}`)
  }
  run('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  print('all files are there, with lists of components and checksums that fit')
}
