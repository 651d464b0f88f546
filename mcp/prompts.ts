import type { Client } from '../domains/shared/commands.ts'
import { latestIds } from './resources.ts'

interface Prompt {
  name: string
  title: string
  description: string
  arguments: { name: string; description: string; required: boolean }[]
  /** Values of an argument that clients may propose. */
  complete: Record<string, (client: Client) => Promise<string[]>>
  text(args: Record<string, string>): string
}

const LANGUAGES = ['TypeScript', 'JavaScript', 'Python', 'PHP', 'Go', 'Java', 'Ruby', 'C#']

export const PROMPTS: Prompt[] = [
  {
    name: 'write_client',
    title: 'Write a client',
    description: 'Write and test a client of the seller API in a language.',
    arguments: [
      { name: 'language', description: 'Programming language', required: true },
      {
        name: 'task',
        description: 'What the client does; default: it answers the questions of a seller',
        required: false,
      },
    ],
    complete: { language: async () => LANGUAGES },
    text: ({ language, task = 'It lists the unanswered questions of a seller and answers each of them once.' }) =>
      `Write a client of the seller API in ${language}. ${task}

1. Read the resource mercadito://openapi/api, then each operation that you need (mercadito://openapi/api/{operation}), and the rules of
   its area (mercadito://spec/{page}).
2. Call list_worlds with the id of the world: it has the base address and a seller with a token. Take both from the environment of
   the program, so that only these change for the real service.
3. Try single calls with call_api before you write code. Page through lists to their end, and wait as Retry-After says.
4. Create what the program works on with ask_question or simulate, then run it.
5. Look at list_requests. For each refused call use explain_request, and correct the program.
6. Add a fault with add_fault (status 503, times 2), run the program again, and delete the fault.
7. Finish when audit has no finding with severity error or warn, and verify_calls confirms the calls that you expect.`,
  },
  {
    name: 'test_webhook',
    title: 'Test my webhook',
    description: 'Send notifications to a webhook, also late and repeated, and review how it copes.',
    arguments: [
      { name: 'url', description: 'Address of the webhook, such as http://127.0.0.1:3000/hook', required: true },
    ],
    complete: {},
    text: ({ url }) => `Test the webhook at ${url}.

1. Find the id of the application with list_worlds and the id of the world, then set_notifications to the webhook.
2. Use ask_question, then settle, then list_deliveries. Each delivery must be answered with 200 within 500 ms.
3. If one failed, read it with its id: each attempt has the answer of the webhook. Use advance_clock with {"to": "next"} to make
   the retries without waiting.
4. Use set_notifications with the profile hostile, then ask five questions and settle: notifications are late, repeated and out of
   order. The program must handle each resource once; list_requests shows what it did.
5. Use audit, and report its findings about webhooks and notifications with what to do.`,
  },
  {
    name: 'why_refused',
    title: 'Why was this refused?',
    description: 'Explain a refused call and propose a correction of the program.',
    arguments: [
      { name: 'request_id', description: 'Id of the call; default: the latest refused one', required: false },
    ],
    complete: { request_id: (client) => latestIds(client, '4xx') },
    text: ({ request_id }) =>
      `${request_id === undefined ? 'Find the latest refused call with list_requests and the status 4xx.' : `The call ${request_id} was refused.`}

1. Read it with list_requests and its id, and explain_request with the same id.
2. Say in two sentences what was wrong, and cite the rule by its id. If an assumption decided, say that the real service may differ.
3. Find the place in the program that made the call, and propose the smallest correction: that of \`fix\`, or without one what \`text\` says.
4. Run the program again, and confirm the correct call with verify_calls.`,
  },
]
