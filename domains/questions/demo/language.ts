/** Each text of `answer` answers each text of `ask`; names in braces have the same values in both. */
export interface Topic {
  /** Tags of the products that it fits. */
  about: readonly string[]
  ask: readonly string[]
  answer: readonly string[]
}

/** Texts in one language. */
export interface Texts {
  topics: readonly Topic[]
  /** Questions after a purchase. */
  bought: Topic
  /** Openings of a second question. */
  followUps: readonly string[]
  /** Sent by mistake: sellers delete these. */
  mistaken: readonly string[]
  /** Offers to deal outside the site. */
  spam: readonly string[]
  /** Questions that wait for moderation. */
  moderated: readonly string[]
  colours: readonly string[]
  vehicles: readonly string[]
  /** Combining marks that hurried people omit. */
  accents: RegExp
}
