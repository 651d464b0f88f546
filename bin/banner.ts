import type { World } from '../db/world.ts'
import { latestUnanswered } from '../domains/questions/queries.ts'
import type { Ready } from '../domains/sandbox/ready.ts'

/** What a person sees at the start: where it is, who they can be, and three calls to paste. */
export async function banner({ url, world: { mode, data }, sellers, buyers }: Ready, world: World): Promise<string> {
  const seller = sellers[0]!
  const buyer = buyers[0]!
  const question = await latestUnanswered(world.read, seller.id)
  const bearer = `-H 'Authorization: Bearer ${seller.token}'`
  const clock = world.clock.mode === 'frozen' ? `frozen at ${new Date(world.clock.now()).toISOString()}` : 'real time'
  const calls = [
    `curl ${bearer} '${url}/questions/search?seller_id=${seller.id}&status=UNANSWERED'`,
    ...(question
      ? [`curl ${bearer} ${url}/answers -d '{"question_id":${question.id},"text":"¡Hola! Sí, tenemos stock."}'`]
      : []),
    `curl ${bearer} '${url}/users/${seller.id}/contacts/phone_views/time_window?last=7&unit=day'`,
  ]
  return `
mercadito listens on ${url}

  docs    ${url}/docs
  world   ${mode === 'kept' ? `kept in ${data}` : 'temporary: nothing is kept'}
  clock   ${clock}
  seller  ${seller.nickname}  ${seller.token}
  buyer   ${buyer.nickname}  ${buyer.token}

Try:
${calls.map((call) => `  ${call}`).join('\n')}

`
}
