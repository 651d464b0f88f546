import type { Screen } from '../screen.ts'

export default {
  name: 'settings',
  title: { es: 'Ajustes', pt: 'Configurações', en: 'Settings' },
  icon: 'settings',
  letter: 'e',
  load: () => import('./settings.tsx'),
} satisfies Screen
