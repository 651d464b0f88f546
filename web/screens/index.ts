import type { ComponentType } from 'preact'
import type { IconName } from '../parts/icons.tsx'
import type { Language } from '../words/words.ts'
import type { Address } from '../world/address.ts'

/** The part of a screen that the menu needs; the rest is loaded when the screen is opened. */
export interface Screen {
  /** First segment of its address; empty for the overview. */
  name: string
  title: Record<Language, string>
  icon: IconName
  /** The letter that opens it, after `g`. */
  letter: string
  load(): Promise<ComponentType<Address>>
}

/** All screens in the order of the menu. A blank line of the menu follows each group. */
export const SCREEN_GROUPS: Screen[][] = [
  [
    {
      name: 'start',
      title: { es: 'Guía', pt: 'Guia', en: 'Guide' },
      icon: 'start',
      letter: 's',
      load: async () => (await import('./others.ts')).start,
    },
    {
      name: 'live',
      title: { es: 'En vivo', pt: 'Ao vivo', en: 'Live' },
      icon: 'live',
      letter: 'l',
      load: async () => (await import('./others.ts')).live,
    },
    {
      name: '',
      title: { es: 'Resumen', pt: 'Resumo', en: 'Overview' },
      icon: 'overview',
      letter: 'o',
      load: async () => (await import('./overview/overview.tsx')).default,
    },
    {
      name: 'questions',
      title: { es: 'Preguntas', pt: 'Perguntas', en: 'Questions' },
      icon: 'questions',
      letter: 'q',
      load: async () => (await import('./others.ts')).questions,
    },
    {
      name: 'orders',
      title: { es: 'Ventas', pt: 'Vendas', en: 'Orders' },
      icon: 'orders',
      letter: 'v',
      load: async () => (await import('./others.ts')).orders,
    },
    {
      name: 'listings',
      title: { es: 'Publicaciones', pt: 'Anúncios', en: 'Listings' },
      icon: 'listings',
      letter: 'p',
      load: async () => (await import('./others.ts')).listings,
    },
    {
      name: 'users',
      title: { es: 'Usuarios', pt: 'Usuários', en: 'Users' },
      icon: 'users',
      letter: 'd',
      load: async () => (await import('./others.ts')).users,
    },
    {
      name: 'requests',
      title: { es: 'Llamadas', pt: 'Chamadas', en: 'Requests' },
      icon: 'requests',
      letter: 'r',
      load: async () => (await import('./others.ts')).requests,
    },
    {
      name: 'webhooks',
      title: { es: 'Notificaciones', pt: 'Notificações', en: 'Webhooks' },
      icon: 'webhooks',
      letter: 'w',
      load: async () => (await import('./others.ts')).webhooks,
    },
  ],
  [
    {
      name: 'statistics',
      title: { es: 'Estadísticas', pt: 'Estatísticas', en: 'Statistics' },
      icon: 'statistics',
      letter: 'c',
      load: async () => (await import('./others.ts')).statistics,
    },
    {
      name: 'flex',
      title: { es: 'Flex', pt: 'Flex', en: 'Flex' },
      icon: 'flex',
      letter: 'x',
      load: async () => (await import('./others.ts')).flex,
    },
    {
      name: 'credits',
      title: { es: 'Créditos', pt: 'Créditos', en: 'Credits' },
      icon: 'credits',
      letter: 'k',
      load: async () => (await import('./others.ts')).credits,
    },
  ],
  [
    {
      name: 'clock',
      title: { es: 'Reloj', pt: 'Relógio', en: 'Clock' },
      icon: 'clock',
      letter: 't',
      load: async () => (await import('./others.ts')).clock,
    },
    {
      name: 'worlds',
      title: { es: 'Mundos', pt: 'Mundos', en: 'Worlds' },
      icon: 'worlds',
      letter: 'm',
      load: async () => (await import('./others.ts')).worlds,
    },
    {
      name: 'faults',
      title: { es: 'Fallos', pt: 'Falhas', en: 'Faults' },
      icon: 'faults',
      letter: 'f',
      load: async () => (await import('./others.ts')).faults,
    },
    {
      name: 'assumptions',
      title: { es: 'Supuestos', pt: 'Suposições', en: 'Assumptions' },
      icon: 'assumptions',
      letter: 'u',
      load: async () => (await import('./others.ts')).assumptions,
    },
    {
      name: 'settings',
      title: { es: 'Ajustes', pt: 'Configurações', en: 'Settings' },
      icon: 'settings',
      letter: 'e',
      load: async () => (await import('./others.ts')).settings,
    },
  ],
]

export const SCREENS = SCREEN_GROUPS.flat()

/** The screen of the first segment of an address: its name, or, as people type it, its title in any language. */
export const screenOf = (segment: string): Screen | undefined =>
  SCREENS.find(({ name }) => name === segment) ??
  SCREENS.find(({ name, title }) =>
    [name || 'overview', ...Object.values(title)].some((one) => slug(one) === slug(segment)),
  )

/** Lower case, without accents and spaces. */
const slug = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\p{M}\s+-]/gu, '')
    .toLowerCase()
