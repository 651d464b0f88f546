import type { IconName } from '../parts/icons.tsx'
import { fold, type Language, language } from '../words/words.ts'

/** The part of a screen that the menu needs; the rest is loaded when the screen is opened. */
export interface Screen {
  /** First segment of its address, and name of its icon; empty for the overview. */
  name: Exclude<IconName, 'overview'> | ''
  /** The letter that opens it, after `g`. */
  letter: string
  title: Record<Language, string>
}

/** All screens in the order of the menu. A blank line of the menu follows each group. */
export const SCREEN_GROUPS: Screen[][] = [
  [
    { name: 'start', letter: 's', title: { es: 'Guía', pt: 'Guia', en: 'Guide' } },
    { name: 'live', letter: 'l', title: { es: 'En vivo', pt: 'Ao vivo', en: 'Live' } },
    { name: '', letter: 'o', title: { es: 'Resumen', pt: 'Resumo', en: 'Overview' } },
    { name: 'questions', letter: 'q', title: { es: 'Preguntas', pt: 'Perguntas', en: 'Questions' } },
    { name: 'orders', letter: 'v', title: { es: 'Ventas', pt: 'Vendas', en: 'Orders' } },
    { name: 'listings', letter: 'p', title: { es: 'Publicaciones', pt: 'Anúncios', en: 'Listings' } },
    { name: 'users', letter: 'd', title: { es: 'Usuarios', pt: 'Usuários', en: 'Users' } },
    { name: 'requests', letter: 'r', title: { es: 'Llamadas', pt: 'Chamadas', en: 'Requests' } },
    { name: 'webhooks', letter: 'w', title: { es: 'Notificaciones', pt: 'Notificações', en: 'Webhooks' } },
  ],
  [
    { name: 'statistics', letter: 'c', title: { es: 'Estadísticas', pt: 'Estatísticas', en: 'Statistics' } },
    { name: 'flex', letter: 'x', title: { es: 'Flex', pt: 'Flex', en: 'Flex' } },
    { name: 'credits', letter: 'k', title: { es: 'Créditos', pt: 'Créditos', en: 'Credits' } },
  ],
  [
    { name: 'clock', letter: 't', title: { es: 'Reloj', pt: 'Relógio', en: 'Clock' } },
    { name: 'worlds', letter: 'm', title: { es: 'Mundos', pt: 'Mundos', en: 'Worlds' } },
    { name: 'faults', letter: 'f', title: { es: 'Fallos', pt: 'Falhas', en: 'Faults' } },
    { name: 'assumptions', letter: 'u', title: { es: 'Supuestos', pt: 'Suposições', en: 'Assumptions' } },
    { name: 'settings', letter: 'e', title: { es: 'Ajustes', pt: 'Configurações', en: 'Settings' } },
  ],
]

export const SCREENS = SCREEN_GROUPS.flat()

/** In the person's language. */
export const titleOf = (screen: Screen['name']): string =>
  SCREENS.find(({ name }) => name === screen)!.title[language.value]

export const iconOf = ({ name }: Screen): IconName => name || 'overview'

/** The screen of the first segment of an address: its name, or, as people type it, its title in any language. */
export const screenOf = (segment: string): Screen | undefined =>
  SCREENS.find(({ name }) => name === segment) ??
  SCREENS.find(({ name, title }) =>
    [name || 'overview', ...Object.values(title)].some((one) => slug(one) === slug(segment)),
  )

/** Lower case, without accents and spaces. */
const slug = (text: string): string => fold(text).replace(/[\s+-]/g, '')
