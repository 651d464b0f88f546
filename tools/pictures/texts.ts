/** What the people in the pictures say. */
export interface Texts {
  /** Country of the seller. */
  site: string
  questions: [string, string, string]
  answer: string
  application: string
  world: string
  snapshot: string
}

const es: Texts = {
  site: 'MLA',
  questions: ['¿Hacen envíos a Córdoba?', '¿Tiene garantía?', '¿Hay otro color?'],
  answer: '¡Hola! Sí, llega en 3 días.',
  application: 'Panel de precios',
  world: 'Pruebas de pagos',
  snapshot: 'Antes de la oferta',
}

const pt: Texts = {
  site: 'MLB',
  questions: ['Vocês entregam em Curitiba?', 'Tem garantia?', 'Tem outra cor?'],
  answer: 'Olá! Sim, chega em 3 dias.',
  application: 'Painel de preços',
  world: 'Testes de pagamento',
  snapshot: 'Antes da oferta',
}

/** By the language of the console. */
export const TEXTS = { en: es, es, pt }
