import type { Texts } from '../../http/errors/checks.ts'
import type { Journal } from '../../http/journal/journals.ts'
import type { View } from './view.ts'

/** What an audit could not know. */
interface BlindSpot {
  id: string
  text: Texts
  /** How many requests or notifications it concerns. */
  count(view: View, journal: Journal): number
}

export const BLIND_SPOTS: readonly BlindSpot[] = [
  {
    id: 'requests_dropped',
    text: {
      en: 'Earlier requests are no longer stored: what they did, and what followed from them, is not known.',
      es: 'Las llamadas anteriores ya no están guardadas: no se sabe qué hicieron ni qué resultó de ellas.',
      pt: 'As chamadas anteriores já não estão guardadas: não se sabe o que fizeram nem o que resultou delas.',
    },
    count: (_view, { requests }) => requests.dropped,
  },
  {
    id: 'bodies_cut',
    text: {
      en: 'Bodies or answers were cut to 8 KiB: what comes after is not known.',
      es: 'Cuerpos o respuestas se cortaron a 8 KiB: lo que sigue no se conoce.',
      pt: 'Corpos ou respostas foram cortados em 8 KiB: o que vem depois não é conhecido.',
    },
    count: ({ calls }) => calls.filter(({ entry }) => [entry.body, entry.answer].some(isCut)).length,
  },
  {
    id: 'deliveries_not_read',
    text: {
      en: 'Earlier notifications were not looked at: an audit reads the latest 1000.',
      es: 'No se miraron las notificaciones anteriores: una auditoría lee las últimas 1000.',
      pt: 'As notificações anteriores não foram olhadas: uma auditoria lê as últimas 1000.',
    },
    count: ({ earlierDeliveries }) => earlierDeliveries,
  },
  {
    id: 'worlds_lost',
    text: {
      en: 'Worlds of the run were gone before they could be looked at.',
      es: 'Hubo mundos de la ejecución que ya no existían cuando se los iba a mirar.',
      pt: 'Mundos da execução já não existiam quando iam ser olhados.',
    },
    // Only a run of several worlds has any, and counts them.
    count: () => 0,
  },
]

const isCut = (excerpt: { isComplete: boolean } | null): boolean => excerpt?.isComplete === false
