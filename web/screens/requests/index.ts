import type { Screen } from '../screen.ts'

export default {
  name: 'requests',
  title: { es: 'Llamadas', pt: 'Chamadas', en: 'Requests' },
  icon: 'requests',
  letter: 'r',
  load: () => import('./requests.tsx'),
} satisfies Screen
