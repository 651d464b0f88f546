/** How much traffic there is in a simulation. */
export interface Profile {
  /** Per listing and day, on average. */
  phone_views: number
  whatsapp: number
  questions: number
  /** Share of the peak days, and their factor. */
  rush: { days: number; times: number }
}

export const PROFILES = {
  quiet: { phone_views: 0.2, whatsapp: 0.08, questions: 0.05, rush: { days: 0, times: 1 } },
  normal: { phone_views: 0.7, whatsapp: 0.3, questions: 0.18, rush: { days: 0.02, times: 2.5 } },
  busy: { phone_views: 3, whatsapp: 1.3, questions: 0.7, rush: { days: 0.03, times: 2.5 } },
  peak: { phone_views: 3, whatsapp: 1.3, questions: 0.7, rush: { days: 0.15, times: 6 } },
} as const satisfies Record<string, Profile>
export type ProfileName = keyof typeof PROFILES

/** The number of contacts to expect. */
export const expectedContacts = (
  { phone_views, whatsapp, questions, rush }: Profile,
  listings: number,
  days: number,
): number => (phone_views + whatsapp + questions) * (1 + rush.days * (rush.times - 1)) * listings * days
