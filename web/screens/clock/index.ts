import type { Screen } from '../screen.ts'

export default {
  name: 'clock',
  title: { es: 'Reloj', pt: 'Relógio', en: 'Clock' },
  icon: 'clock',
  letter: 't',
  load: () => import('./clock.tsx'),
} satisfies Screen
