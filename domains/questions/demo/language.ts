/** Any text of `ask` may be answered with any of `answer`; names in braces are filled in alike in both. */
export interface Topic {
  /** Tags of products (see the catalogue) that it suits. */
  about: readonly string[]
  ask: readonly string[]
  answer: readonly string[]
}

/** What people of one language write. */
export interface Texts {
  topics: readonly Topic[]
  /** Asked after buying a parcel. */
  bought: Topic
  /** Openings of a second question. */
  followUps: readonly string[]
  /** Sent by mistake: sellers delete these. */
  mistaken: readonly string[]
  /** Offers to deal outside the site. */
  spam: readonly string[]
  /** Questions that are held for a moderator. */
  moderated: readonly string[]
  colours: readonly string[]
  vehicles: readonly string[]
  /** Combining marks that people in a hurry omit. */
  accents: RegExp
}
