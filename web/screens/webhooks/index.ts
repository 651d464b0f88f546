import type { Screen } from '../screen.ts'

export default {
  name: 'webhooks',
  title: { es: 'Avisos', pt: 'Avisos', en: 'Webhooks' },
  icon: 'webhooks',
  letter: 'w',
  load: () => import('./webhooks.tsx'),
} satisfies Screen
