import type { Tool } from './tool.ts'

/** Tools for the rules of a world: which calls fail, and which get an answer of its own. */
export const RULE_TOOLS: Tool[] = [
  {
    name: 'list_faults',
    title: 'List fault rules',
    description: 'Rules that make calls of the API fail, in their order, with their counters.',
    effect: 'read',
    call: 'GET /faults',
    one: 'GET /faults/{id}',
    example: {},
  },
  {
    name: 'add_fault',
    title: 'Make calls fail',
    description: 'Adds a rule: matching calls get an error status, a delay, a closed connection or a rate limit.',
    effect: 'add',
    call: 'POST /faults',
    only: ['id', 'match', 'action', 'probability', 'times'],
    example: { id: 1, match: { path: '/answers' }, action: { status: 503 }, times: 1 },
  },
  {
    name: 'delete_faults',
    title: 'Delete fault rules',
    description: 'Deletes the rule with this `id`; without `id` all rules, so that no call fails any more.',
    effect: 'replace',
    call: 'DELETE /faults',
    one: 'DELETE /faults/{id}',
    example: { id: 1 },
  },
  {
    name: 'list_stubs',
    title: 'List stubs',
    description: 'Answers of the world’s own to calls that the emulated API does not have, in the order of matching.',
    effect: 'read',
    call: 'GET /stubs',
    one: 'GET /stubs/{id}',
    example: {},
  },
  {
    name: 'add_stub',
    title: 'Answer calls that the API lacks',
    description:
      'Adds a stub: matching calls get this answer, a JSON body or a Mustache template, without state. For paths that are not emulated.',
    effect: 'add',
    call: 'POST /stubs',
    only: ['match', 'answer', 'times', 'override'],
    example: { match: { path: '/seller-promotions/search' }, answer: { body: { results: [] } } },
  },
  {
    name: 'delete_stubs',
    title: 'Delete stubs',
    description: 'Deletes the stub with this `id`; without `id` all stubs of the world.',
    effect: 'replace',
    call: 'DELETE /stubs',
    one: 'DELETE /stubs/{id}',
    example: { id: 1 },
  },
]
