import type { Screen } from '../screen.ts'

export default {
  name: 'worlds',
  title: { es: 'Mundos', pt: 'Mundos', en: 'Worlds' },
  icon: 'worlds',
  letter: 'm',
  load: () => import('./worlds.tsx'),
} satisfies Screen
