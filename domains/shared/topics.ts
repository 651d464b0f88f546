/** What notifications can be about, in the order in which the documents list them. */
export const TOPICS = ['questions', 'leads-credits', 'items', 'flex-handshakes'] as const
export type Topic = (typeof TOPICS)[number]
