import type { Screen } from '../screen.ts'

export default {
  name: 'statistics',
  title: { es: 'Estadísticas', pt: 'Estatísticas', en: 'Statistics' },
  icon: 'statistics',
  letter: 'c',
  load: () => import('./statistics.tsx'),
} satisfies Screen
