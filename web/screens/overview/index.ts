import type { Screen } from '../screen.ts'

export default {
  name: '',
  title: { es: 'Resumen', pt: 'Resumo', en: 'Overview' },
  icon: 'overview',
  letter: 'o',
  load: () => import('./overview.tsx'),
} satisfies Screen
