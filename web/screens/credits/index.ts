import type { Screen } from '../screen.ts'

export default {
  name: 'credits',
  title: { es: 'Créditos', pt: 'Créditos', en: 'Credits' },
  icon: 'credits',
  letter: 'k',
  load: () => import('./credits.tsx'),
} satisfies Screen
