import type { Screen } from '../screen.ts'

export default {
  name: 'questions',
  title: { es: 'Preguntas', pt: 'Perguntas', en: 'Questions' },
  icon: 'questions',
  letter: 'q',
  load: () => import('./questions.tsx'),
} satisfies Screen
