// Made by `npm run openapi` from domains/index.ts; changes here are lost.

/** All topics of events. */
export const TOPICS = ['questions', 'leads-credits', 'items', 'flex-handshakes'] as const
export type Topic = (typeof TOPICS)[number]
