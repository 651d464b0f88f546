import type { Screen } from '../screen.ts'

export default {
  name: 'faults',
  title: { es: 'Fallos', pt: 'Falhas', en: 'Faults' },
  icon: 'faults',
  letter: 'f',
  load: () => import('./faults.tsx'),
} satisfies Screen
