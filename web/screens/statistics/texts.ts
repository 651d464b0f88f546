import type { Texts } from '../../words/words.ts'

export const texts = {
  title: { es: 'Estadísticas', pt: 'Estatísticas', en: 'Statistics' },
  seller: { es: 'Vendedor', pt: 'Vendedor', en: 'Seller' },
  item: { es: 'Publicación', pt: 'Anúncio', en: 'Listing' },
  allItems: { es: 'todas', pt: 'todos', en: 'all' },
  phone_view: { es: 'Vistas de teléfono', pt: 'Visualizações do telefone', en: 'Phone views' },
  messaging_click: { es: 'Clics en mensajes', pt: 'Cliques em mensagens', en: 'Messaging clicks' },
  question: { es: 'Preguntas', pt: 'Perguntas', en: 'Questions' },
  kind: { es: 'Curva', pt: 'Curva', en: 'Curve' },
  unit: { es: 'Intervalo', pt: 'Intervalo', en: 'Interval' },
  hour: { es: 'Hora', pt: 'Hora', en: 'Hour' },
  day: { es: 'Día', pt: 'Dia', en: 'Day' },
  range: { es: 'Período', pt: 'Período', en: 'Period' },
  days: { es: (n: string) => `${n} d`, pt: (n: string) => `${n} d`, en: (n: string) => `${n} d` },
  pending: {
    es: (added: string, removed: string) => `Sin aplicar: +${added} −${removed}`,
    pt: (added: string, removed: string) => `Não aplicado: +${added} −${removed}`,
    en: (added: string, removed: string) => `Not applied: +${added} −${removed}`,
  },
  apply: { es: 'Aplicar', pt: 'Aplicar', en: 'Apply' },
  drop: { es: 'Descartar', pt: 'Descartar', en: 'Discard' },
  applied: {
    es: (added: string, removed: string) => `Contactos: +${added} −${removed}`,
    pt: (added: string, removed: string) => `Contatos: +${added} −${removed}`,
    en: (added: string, removed: string) => `Contacts: +${added} −${removed}`,
  },
  drawHint: {
    es: 'Dibuja con el ratón o con el dedo, o con teclas: ← → intervalo, ↑ ↓ ±1, Mayús ±10, Intro aplica, Esc descarta.',
    pt: 'Desenhe com o mouse ou com o dedo, ou com teclas: ← → intervalo, ↑ ↓ ±1, Shift ±10, Enter aplica, Esc descarta.',
    en: 'Draw with the mouse or a finger, or with keys: ← → interval, ↑ ↓ ±1, Shift ±10, Enter applies, Esc discards.',
  },
  drawItem: {
    es: 'Para dibujar, elige una publicación.',
    pt: 'Para desenhar, escolha um anúncio.',
    en: 'To draw, choose a listing.',
  },
  drawKind: {
    es: 'Las preguntas no se dibujan: se hacen una por una, o se simulan.',
    pt: 'Perguntas não são desenhadas: são feitas uma a uma, ou simuladas.',
    en: 'Questions cannot be drawn: they are asked one by one, or simulated.',
  },
  now: { es: 'ahora', pt: 'agora', en: 'now' },
  chart: { es: 'Gráfico', pt: 'Gráfico', en: 'Chart' },
  table: { es: 'Los mismos números', pt: 'Os mesmos números', en: 'The same numbers' },
  at: { es: 'Desde (UTC)', pt: 'Desde (UTC)', en: 'From (UTC)' },
  nothing: { es: 'Sin contactos en este período', pt: 'Sem contatos neste período', en: 'No contacts in this period' },
  simulate: { es: 'Simular días', pt: 'Simular dias', en: 'Simulate days' },
  simulateWhy: {
    es: 'Genera vistas, clics y preguntas de compradores hasta ahora, solo para este vendedor.',
    pt: 'Gera visualizações, cliques e perguntas de compradores até agora, só para este vendedor.',
    en: 'Generates views, clicks and questions of buyers until now, for this seller only.',
  },
  daysCount: { es: 'Días', pt: 'Dias', en: 'Days' },
  profile: { es: 'Tráfico', pt: 'Tráfego', en: 'Traffic' },
  quiet: { es: 'poco', pt: 'pouco', en: 'little' },
  normal: { es: 'normal', pt: 'normal', en: 'normal' },
  busy: { es: 'mucho', pt: 'muito', en: 'much' },
  peak: { es: 'mucho, con días pico', pt: 'muito, com dias de pico', en: 'much, with peak days' },
  seed: { es: 'Semilla', pt: 'Semente', en: 'Seed' },
  seedHint: {
    es: 'La misma genera lo mismo; vacío: la del mundo',
    pt: 'A mesma gera o mesmo; vazio: a do mundo',
    en: 'The same generates the same; empty: that of the world',
  },
  simulated: {
    es: (views: string, clicks: string, questions: string) =>
      `Vistas: ${views}, clics: ${clicks}, preguntas: ${questions}`,
    pt: (views: string, clicks: string, questions: string) =>
      `Visualizações: ${views}, cliques: ${clicks}, perguntas: ${questions}`,
    en: (views: string, clicks: string, questions: string) =>
      `Views: ${views}, clicks: ${clicks}, questions: ${questions}`,
  },
  noSellers: { es: 'No hay vendedores', pt: 'Não há vendedores', en: 'There are no sellers' },
  noSellersWhy: {
    es: 'Las estadísticas son de un vendedor con publicaciones.',
    pt: 'As estatísticas são de um vendedor com anúncios.',
    en: 'Statistics are those of a seller with listings.',
  },
  newWorld: {
    es: 'Crear un mundo con vendedores',
    pt: 'Criar um mundo com vendedores',
    en: 'Create a world with sellers',
  },
} satisfies Texts
