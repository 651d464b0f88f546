import type { Screen } from '../screen.ts'

export default {
  name: 'start',
  title: { es: 'Guía', pt: 'Guia', en: 'Guide' },
  icon: 'start',
  letter: 's',
  load: () => import('./start.tsx'),
} satisfies Screen
