import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, ResponseObject } from '../../domains/shared/schemas.ts'
import { DroppedCount } from '../requests/schemas.ts'
import { SEVERITIES } from './finding.ts'

const Identity = {
  id: Type.String({ description: 'Identifier', examples: ['paging.first_page_only'] }),
  severity: OneOf([...SEVERITIES], {
    description: 'error: fails on the real service; warn: will cause trouble there; info: worth to know',
    examples: ['warn'],
  }),
  title: Type.String({ description: 'What the program did' }),
}
const Ids = (description: string) => Type.Array(Type.Integer({ examples: [17] }), { description })

const count = Type.Integer({ description: 'How often it happened', examples: [2] })
const ids = {
  requests: Ids('Ids of recorded calls; at most the first 20'),
  deliveries: Ids('Ids of deliveries; at most the first 20'),
}
const Evidence = ResponseObject(
  {
    count,
    subjects: Type.Array(Type.String(), {
      description: 'What it was about, such as routes; at most the first 20, each once',
    }),
    ...ids,
    worlds: Type.Optional(
      Type.Array(
        ResponseObject(
          {
            id: Type.Integer({ description: 'Number of the world', examples: [2] }),
            name: Nullable(Type.String(), { description: 'Name of the world; null if it has none' }),
            count,
            ...ids,
          },
          { title: 'WorldEvidence', description: 'Where it was seen in one world' },
        ),
        {
          description:
            'Only of a run: at most the first 20 worlds with their ids; `requests` and `deliveries` are empty',
        },
      ),
    ),
  },
  { description: 'Where it was seen' },
)
export type Evidence = Static<typeof Evidence>

const FoundFinding = ResponseObject(
  {
    ...Identity,
    why: Type.String({ description: 'Why it matters on the real service' }),
    fix: Type.String({ description: 'What to do' }),
    evidence: Evidence,
  },
  { title: 'Finding', description: 'What a reviewer would say about the programs that use the world' },
)

const Check = ResponseObject(Identity, { title: 'AuditCheck', description: 'A finding that was looked for' })

const BlindSpot = ResponseObject(
  {
    id: Type.String({ description: 'Identifier', examples: ['bodies_cut'] }),
    count: Type.Integer({ description: 'Requests or notifications that it concerns', examples: [3] }),
    text: Type.String({ description: 'What the audit cannot know, as a sentence' }),
  },
  { title: 'BlindSpot', description: 'What could not be known' },
)

export const Audit = ResponseObject(
  {
    audited: ResponseObject(
      {
        requests: Type.Integer({ description: 'Recorded calls' }),
        dropped: DroppedCount,
        deliveries: Type.Integer({ description: 'Notifications, at most the latest 1000 of a world' }),
        worlds: Type.Optional(Type.Integer({ description: 'Only of a run: worlds' })),
      },
      { description: 'What was looked at' },
    ),
    findings: Type.Array(FoundFinding, { description: 'The most severe first' }),
    unknown: Type.Array(BlindSpot, { description: 'What could not be known' }),
    checks: Type.Array(Check, { description: 'All that was looked for, the most severe first' }),
  },
  { title: 'Audit', description: 'A review of the programs that use a world' },
)
export type Audit = Static<typeof Audit>
