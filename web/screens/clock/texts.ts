import { plural, type Texts } from '../../words/words.ts'

export const texts = {
  snapshots: {
    es: 'Instantáneas del mundo, para volver atrás',
    pt: 'Instantâneos do mundo, para voltar atrás',
    en: 'Snapshots of the world, to go back to',
  },
  title: { es: 'Reloj', pt: 'Relógio', en: 'Clock' },
  mode: { es: 'Modo', pt: 'Modo', en: 'Mode' },
  real: { es: 'Hora real', pt: 'Hora real', en: 'Real time' },
  shifted: { es: 'Desplazado', pt: 'Deslocado', en: 'Shifted' },
  frozen: { es: 'Detenido', pt: 'Parado', en: 'Frozen' },
  freeze: { es: 'Detener o seguir', pt: 'Parar ou continuar', en: 'Freeze or resume' },
  steps: { es: 'Mover', pt: 'Mover', en: 'Move' },
  move: { es: 'Mover el reloj', pt: 'Mover o relógio', en: 'Move the clock' },
  moved: {
    es: (time: string) => `El reloj está en ${time}`,
    pt: (time: string) => `O relógio está em ${time}`,
    en: (time: string) => `The clock is at ${time}`,
  },
  sending: {
    es: (n: number) => `El reloj todavía se mueve: ${plural(n, 'notificación pendiente', 'notificaciones pendientes')}`,
    pt: (n: number) =>
      `O relógio ainda está se movendo: ${plural(n, 'notificação pendente', 'notificações pendentes')}`,
    en: (n: number) => `The clock is still moving: ${plural(n, 'webhook pending', 'webhooks pending')}`,
  },
  nextDue: { es: 'Ir a lo próximo', pt: 'Ir ao próximo', en: 'Go to the next' },
  scrubber: { es: 'Hora del mundo', pt: 'Hora do mundo', en: 'World time' },
  span: { es: 'Período', pt: 'Período', en: 'Period' },
  hour: { es: '1 hora', pt: '1 hora', en: '1 hour' },
  day: { es: '1 día', pt: '1 dia', en: '1 day' },
  week: { es: '7 días', pt: '7 dias', en: '7 days' },
  month: { es: '30 días', pt: '30 dias', en: '30 days' },
  instant: { es: 'Ir a (UTC)', pt: 'Ir para (UTC)', en: 'Go to (UTC)' },
  example: { es: '+7h, +3d, lun 09:00', pt: '+7h, +3d, seg 09:00', en: '+7h, +3d, Mon 09:00' },
  unreadable: {
    es: 'No se entiende. Sirven +7h, -30m, +1d 12h, lun 09:00, 09:00 y 2026-03-02 12:00.',
    pt: 'Não dá para entender. Servem +7h, -30m, +1d 12h, seg 09:00, 09:00 e 2026-03-02 12:00.',
    en: 'This is no time. These would do: +7h, -30m, +1d 12h, Mon 09:00, 09:00, 2026-03-02 12:00.',
  },
  go: { es: 'Ir', pt: 'Ir', en: 'Go' },
  drop: { es: 'Cancelar', pt: 'Cancelar', en: 'Cancel' },
  keysHint: {
    es: 'Escribe, arrastra o usa ← →. Enter va, Esc cancela.',
    pt: 'Digite, arraste ou use ← →. Enter vai, Esc cancela.',
    en: 'Type, drag or use ← →. Enter goes, Esc cancels.',
  },
  before: {
    es: (what: string) => `Antes: ${what}`,
    pt: (what: string) => `Antes: ${what}`,
    en: (what: string) => `Before that: ${what}`,
  },
  nothingBefore: { es: 'Antes no ocurre nada', pt: 'Nada acontece antes', en: 'Nothing happens before' },
  passed: {
    attempt: {
      es: (n: number) => plural(n, 'intento de notificación', 'intentos de notificación'),
      pt: (n: number) => plural(n, 'tentativa de notificação', 'tentativas de notificação'),
      en: (n: number) => plural(n, 'attempt of a webhook', 'attempts of webhooks'),
    },
    token: {
      es: (n: number) => plural(n, 'token vencido', 'tokens vencidos'),
      pt: (n: number) => plural(n, 'token vencido', 'tokens vencidos'),
      en: (n: number) => plural(n, 'token expired', 'tokens expired'),
    },
    refresh_token: {
      es: (n: number) => plural(n, 'refresh token vencido', 'refresh tokens vencidos'),
      pt: (n: number) => plural(n, 'refresh token vencido', 'refresh tokens vencidos'),
      en: (n: number) => plural(n, 'refresh token expired', 'refresh tokens expired'),
    },
    code: {
      es: (n: number) => plural(n, 'código vencido', 'códigos vencidos'),
      pt: (n: number) => plural(n, 'código vencido', 'códigos vencidos'),
      en: (n: number) => plural(n, 'code expired', 'codes expired'),
    },
    expires: {
      es: (n: number) => plural(n, 'solicitud de crédito vencida', 'solicitudes de crédito vencidas'),
      pt: (n: number) => plural(n, 'pedido de crédito vencido', 'pedidos de crédito vencidos'),
      en: (n: number) => plural(n, 'lead expired', 'leads expired'),
    },
    listed: {
      es: (n: number) => plural(n, 'solicitud de crédito en las búsquedas', 'solicitudes de crédito en las búsquedas'),
      pt: (n: number) => plural(n, 'pedido de crédito nas buscas', 'pedidos de crédito nas buscas'),
      en: (n: number) => plural(n, 'lead in searches', 'leads in searches'),
    },
    unlisted: {
      es: (n: number) =>
        plural(n, 'solicitud de crédito fuera de las búsquedas', 'solicitudes de crédito fuera de las búsquedas'),
      pt: (n: number) => plural(n, 'pedido de crédito fora das buscas', 'pedidos de crédito fora das buscas'),
      en: (n: number) => plural(n, 'lead gone from searches', 'leads gone from searches'),
    },
    question: {
      es: (n: number) => plural(n, 'pregunta desaparecida', 'preguntas desaparecidas'),
      pt: (n: number) => plural(n, 'pergunta desaparecida', 'perguntas desaparecidas'),
      en: (n: number) => plural(n, 'question gone', 'questions gone'),
    },
    shipment: {
      es: (n: number) => plural(n, 'cambio de un envío', 'cambios de envíos'),
      pt: (n: number) => plural(n, 'mudança de um envio', 'mudanças de envios'),
      en: (n: number) => plural(n, 'change of a shipment', 'changes of shipments'),
    },
  },
  kinds: {
    attempt: { es: 'Notificaciones', pt: 'Notificações', en: 'Webhooks' },
    token: { es: 'Tokens', pt: 'Tokens', en: 'Tokens' },
    refresh_token: { es: 'Refresh tokens', pt: 'Refresh tokens', en: 'Refresh tokens' },
    code: { es: 'Códigos', pt: 'Códigos', en: 'Codes' },
    lead: { es: 'Solicitudes de crédito', pt: 'Pedidos de crédito', en: 'Leads' },
    question: { es: 'Preguntas', pt: 'Perguntas', en: 'Questions' },
    shipment: { es: 'Envíos', pt: 'Envios', en: 'Shipments' },
  },
  back: {
    es: 'Vuelve atrás: lo que venció vuelve a valer, pero lo enviado no se desenvía.',
    pt: 'Volta atrás: o que venceu volta a valer, mas o que foi enviado não é desfeito.',
    en: 'Goes back: what has expired is valid again, but what was sent stays sent.',
  },
  due: { es: 'Lo que va a ocurrir', pt: 'O que vai acontecer', en: 'What is due' },
  nothingDue: { es: 'No va a ocurrir nada', pt: 'Nada vai acontecer', en: 'Nothing is due' },
  nothingDueWhy: {
    es: 'Aquí aparecen reintentos de notificaciones y pasos de envíos, y tokens, solicitudes de crédito y preguntas que vencen.',
    pt: 'Aqui aparecem novas tentativas de notificações e passos de envios, e tokens, pedidos de crédito e perguntas que vencem.',
    en: 'Retries of webhooks and steps of shipments appear here, and tokens, leads and questions that expire.',
  },
  attempt: {
    es: (n: number, id: string) => `Intento ${n} de la notificación ${id}`,
    pt: (n: number, id: string) => `Tentativa ${n} da notificação ${id}`,
    en: (n: number, id: string) => `Attempt ${n} of delivery ${id}`,
  },
  token: {
    es: (user: number) => `Vence un token del usuario ${user}`,
    pt: (user: number) => `Vence um token do usuário ${user}`,
    en: (user: number) => `A token of user ${user} expires`,
  },
  code: {
    es: (user: number) => `Vence un código del usuario ${user}`,
    pt: (user: number) => `Vence um código do usuário ${user}`,
    en: (user: number) => `A code of user ${user} expires`,
  },
  leadExpires: {
    es: (id: string) => `Vence la solicitud de crédito ${id}`,
    pt: (id: string) => `Vence o pedido de crédito ${id}`,
    en: (id: string) => `Lead ${id} expires`,
  },
  leadListed: {
    es: (id: string) => `La solicitud de crédito ${id} aparece en las búsquedas`,
    pt: (id: string) => `O pedido de crédito ${id} aparece nas buscas`,
    en: (id: string) => `Lead ${id} appears in searches`,
  },
  leadUnlisted: {
    es: (id: string) => `La solicitud de crédito ${id} deja de aparecer`,
    pt: (id: string) => `O pedido de crédito ${id} deixa de aparecer`,
    en: (id: string) => `Lead ${id} no longer appears`,
  },
  questionGone: {
    es: (id: string) => `La pregunta ${id} desaparece`,
    pt: (id: string) => `A pergunta ${id} desaparece`,
    en: (id: string) => `Question ${id} disappears`,
  },
  shipmentMoves: {
    es: (id: string, state: string) => `Envío ${id}: ${state}`,
    pt: (id: string, state: string) => `Envio ${id}: ${state}`,
    en: (id: string, state: string) => `Shipment ${id}: ${state}`,
  },
  moves: {
    ready_to_print: { es: 'etiqueta lista', pt: 'etiqueta pronta', en: 'label ready' },
    handed_over: { es: 'despachado', pt: 'postado', en: 'handed over' },
    shipped: { es: 'enviado', pt: 'enviado', en: 'shipped' },
    out_for_delivery: { es: 'en reparto', pt: 'saiu para entrega', en: 'out for delivery' },
    delivered: { es: 'entregado', pt: 'entregue', en: 'delivered' },
  },
  goHere: { es: 'Ir hasta aquí', pt: 'Ir até aqui', en: 'Go here' },
} satisfies Texts
