import type { ContactKind } from './tables.ts'

/** The kinds of the statistics by their names in control calls and world files. */
export const CONTACT_KIND_BY_NAME = {
  phone_view: 'phone_views',
  whatsapp: 'whatsapp',
  question: 'questions',
} as const satisfies Record<string, ContactKind>
export type ContactKindName = keyof typeof CONTACT_KIND_BY_NAME

export const CONTACT_KIND_NAMES = Object.fromEntries(
  Object.entries(CONTACT_KIND_BY_NAME).map(([name, kind]) => [kind, name]),
) as Record<ContactKind, ContactKindName>

/** The kinds by their names in the series of control calls. */
export const SERIES_KINDS = {
  phone_view: 'phone_views',
  messaging_click: 'whatsapp',
  question: 'questions',
} as const satisfies Record<string, ContactKind>
export type SeriesKind = keyof typeof SERIES_KINDS
