import type { Screen } from '../screen.ts'

export default {
  name: 'assumptions',
  title: { es: 'Supuestos', pt: 'Suposições', en: 'Assumptions' },
  icon: 'assumptions',
  letter: 'u',
  load: () => import('./assumptions.tsx'),
} satisfies Screen
