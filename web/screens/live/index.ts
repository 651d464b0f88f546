import type { Screen } from '../screen.ts'

export default {
  name: 'live',
  title: { es: 'En vivo', pt: 'Ao vivo', en: 'Live' },
  icon: 'live',
  letter: 'l',
  load: () => import('./live.tsx'),
} satisfies Screen
