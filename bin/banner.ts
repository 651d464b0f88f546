import type { WorldInfo } from '../control/worlds/world_info.ts'
import type { World } from '../db/world.ts'
import { latestUnanswered } from '../domains/questions/queries.ts'
import { unansweredSince } from '../domains/questions/unanswered_queries.ts'
import { printable } from '../domains/shared/commands.ts'
import type { InterceptInfo } from '../intercept/listener.ts'
import { consoleUrl } from '../lib/urls.ts'

/** Connection data of the server. */
export interface ServerInfo extends WorldInfo {
  /** The file that clients must trust, if it is self-signed. */
  certificate?: string
  intercept?: InterceptInfo
}

/** Printed at the start: the addresses, users with tokens, and three calls to paste. */
export async function formatBanner(
  { url, certificate, intercept, world: { mode, data }, application, sellers, buyers }: ServerInfo,
  world: World | undefined,
): Promise<string> {
  // A world from a file may have no users.
  const [seller] = sellers
  const [buyer] = buyers
  const question =
    world && seller && (await latestUnanswered(world.read, seller.id, (await unansweredSince(world.read, world)) ?? 0))
  const calls = (seller ? exampleCalls(url, seller, question?.id) : [`curl ${url}/currencies`]).map((call) =>
    certificate ? call.replace('curl', `curl --cacert ${certificate}`) : call,
  )
  const people = Object.entries({ seller, buyer }).flatMap(([role, person]) =>
    person ? [`  ${role.padEnd(6)}  ${person.nickname}  ${person.token}\n`] : [],
  )
  return `
mercadito listens on ${url}

  console ${consoleUrl(url)}
  docs    ${url}/docs
  control ${url}/docs?api=control, and \`mercadito --help\`
  world   ${mode === 'kept' ? `stored in ${data}` : STORAGE[mode]}
  login   application ${application.id} returns to ${printable(application.redirect_uri)}
  clock   ${world ? clockText(world) : 'set by the server that owns the default world now'}
${certificate ? `  trust   export NODE_EXTRA_CA_CERTS=${certificate}\n` : ''}${intercept ? interceptLines(intercept) : ''}${people.join('')}
Try:
${calls.map((call) => `  ${call}`).join('\n')}

`
}

const STORAGE = {
  temporary: 'temporary: deleted when the server ends',
  shared: 'in the database; each change is stored there before it is answered',
}

const clockText = ({ clock }: World): string =>
  clock.mode === 'frozen' ? `frozen at ${new Date(clock.now()).toISOString()}` : 'real time'

const interceptLines = ({
  address,
  certificate,
}: InterceptInfo): string => `  api     https://api.mercadolibre.com at ${address}
  ca      ${certificate}, which clients of that address must trust
`

/** Calls of a seller to paste; one answers a question, if one is unanswered. */
function exampleCalls(url: string, { id, token }: ServerInfo['sellers'][0], question: number | undefined): string[] {
  const bearer = `-H 'Authorization: Bearer ${token}'`
  return [
    `curl ${bearer} '${url}/questions/search?seller_id=${id}&status=UNANSWERED'`,
    ...(question === undefined
      ? []
      : [`curl ${bearer} ${url}/answers -d '{"question_id":${question},"text":"¡Hola! Sí, tenemos stock."}'`]),
    `curl ${bearer} '${url}/users/${id}/contacts/phone_views/time_window?last=7&unit=day'`,
  ]
}
