/** Paths of 16 × 16 icons, drawn as strokes. */
const PATHS = {
  start: 'M3 13V3.5M3 4h8.5l-1.8 2.6L11.5 9H3',
  live: 'M1.5 8h3l2-5 3 10 2-5h3',
  overview: 'M2.5 2.5h4.5v5H2.5zM9 2.5h4.5v3H9zM9 7.5h4.5v6H9zM2.5 9.5H7v4H2.5z',
  questions: 'M2.5 3h11v8H8l-3 2.5V11H2.5z',
  listings: 'M8.5 2.5H13V7l-6 6-4.5-4.5zM10.7 4.8v.1',
  orders: 'M3 5.5h10l-.7 8H3.7zM5.5 5.5V4.8a2.5 2.5 0 0 1 5 0v.7',
  users: 'M8 8a2.7 2.7 0 1 0 0-5.4A2.7 2.7 0 0 0 8 8M2.8 13.5c.5-2.6 2.6-3.7 5.2-3.7s4.7 1.1 5.2 3.7',
  requests: 'M2 5h10.5M9.5 2l3 3-3 3M14 11H3.5M6.5 8l-3 3 3 3',
  webhooks:
    'M5.5 7.5a3 3 0 1 1 4-3.6M8.3 4.8l2.4 5M10.5 8.5a3 3 0 1 1-1.6 4.8M8.5 11.5H5M5.5 8l-1.8 3.3M6 12.3A3 3 0 1 1 3 8.2',
  statistics: 'M2.5 2.5v11h11M5 10l2.5-3.5 2.5 2 3-4.5',
  flex: 'M1.5 4h8v7h-8zM9.5 6.5h2.8L14.5 9v2h-5M4 13.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4M11.5 13.2a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4',
  credits: 'M1.5 4h13v8h-13zM1.5 6.7h13M4 9.5h3',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M8 4.7V8l2.3 1.6',
  worlds: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12M2.2 8h11.6M8 2c2 2 2.6 4 2.6 6S10 12 8 14c-2-2-2.6-4-2.6-6S6 4 8 2',
  faults: 'M8.8 1.5 3 9h4.2l-.8 5.5L12.8 7H8.4z',
  assumptions: 'M5.2 6A2.9 2.9 0 1 1 8 9v1.5M8 13v.3',
  settings:
    'M2 4.5h6M11.5 4.5H14M2 11.5h2.5M8 11.5h6M9.7 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4M6.3 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9M10.3 10.3 14 14',
  menu: 'M2 4h12M2 8h12M2 12h12',
  close: 'm4 4 8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM3.5 10.5h-1v-8h8v1',
  none: 'M5 8h6',
  done: 'm3 8.5 3.2 3.2L13 4.8',
  warning: 'M8 2 1.5 13.5h13zM8 6.5v3.3M8 11.6v.3',
  pause: 'M5 3v10M11 3v10',
  play: 'M4.5 3v10L13 8z',
  next: 'm6 3.5 4.5 4.5L6 12.5',
  previous: 'M10 3.5 5.5 8l4.5 4.5',
} as const
export type IconName = keyof typeof PATHS

/** Decoration only: the text beside it, or the label of its button, says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)
