import type { Screen } from '../screen.ts'

export default {
  name: 'flex',
  title: { es: 'Flex', pt: 'Flex', en: 'Flex' },
  icon: 'flex',
  letter: 'x',
  load: () => import('./flex.tsx'),
} satisfies Screen
