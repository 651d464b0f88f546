import { number, plural, type Texts } from '../../words/words.ts'

export const texts = {
  title: { es: 'Resumen', pt: 'Resumo', en: 'Overview' },
  address: {
    es: 'Dirección y token para tu programa',
    pt: 'Endereço e token para o seu programa',
    en: 'Address and token for your program',
  },
  begin: { es: 'Empieza con la guía', pt: 'Comece pelo guia', en: 'Begin with the guide' },
  beginWhy: {
    es: 'Tu programa todavía no llamó a este mundo. La guía muestra cómo, en cinco minutos.',
    pt: 'Seu programa ainda não chamou este mundo. O guia mostra como, em cinco minutos.',
    en: 'Your program has not called this world yet. The guide shows how, in five minutes.',
  },
  attention: { es: 'Para mirar', pt: 'Para olhar', en: 'Worth a look' },
  allWell: {
    es: 'Nada raro: sin notificaciones perdidas, tópicos apagados, fallos ni errores del servidor.',
    pt: 'Nada estranho: sem notificações perdidas, tópicos desligados, falhas nem erros do servidor.',
    en: 'Nothing unusual: no missed webhooks, topics off, faults or server errors.',
  },
  findings: { es: 'Revisión de tu programa', pt: 'Revisão do seu programa', en: 'Review of your program' },
  coverage: { es: 'Cobertura', pt: 'Cobertura', en: 'Coverage' },
  review: { es: 'Revisar de nuevo', pt: 'Revisar de novo', en: 'Review again' },
  noFindings: { es: 'Sin hallazgos.', pt: 'Nada encontrado.', en: 'No findings.' },
  reviewed: {
    es: (checks: number, calls: number, webhooks: number) =>
      `${plural(checks, 'comprobación', 'comprobaciones')} en ${plural(calls, 'llamada', 'llamadas')} y ${plural(webhooks, 'notificación', 'notificaciones')}`,
    pt: (checks: number, calls: number, webhooks: number) =>
      `${plural(checks, 'verificação', 'verificações')} em ${plural(calls, 'chamada', 'chamadas')} e ${plural(webhooks, 'notificação', 'notificações')}`,
    en: (checks: number, calls: number, webhooks: number) =>
      `${plural(checks, 'check', 'checks')} of ${plural(calls, 'request', 'requests')} and ${plural(webhooks, 'webhook', 'webhooks')}`,
  },
  error: { es: 'error', pt: 'erro', en: 'error' },
  warn: { es: 'riesgo', pt: 'risco', en: 'warning' },
  info: { es: 'nota', pt: 'nota', en: 'note' },
  matters: { es: 'Por qué importa', pt: 'Por que importa', en: 'Why it matters' },
  toDo: { es: 'Qué hacer', pt: 'O que fazer', en: 'What to do' },
  subjects: { es: 'Sobre', pt: 'Sobre', en: 'About' },
  webhooks: { es: 'Notificaciones', pt: 'Notificações', en: 'Webhooks' },
  topicOff: {
    es: (topic: string, application: number) => `El tópico ${topic} está apagado para la aplicación ${application}`,
    pt: (topic: string, application: number) => `O tópico ${topic} está desligado para a aplicação ${application}`,
    en: (topic: string, application: number) => `The topic ${topic} is off for application ${application}`,
  },
  missed: {
    es: (n: number) => plural(n, 'notificación perdida', 'notificaciones perdidas'),
    pt: (n: number) => plural(n, 'notificação perdida', 'notificações perdidas'),
    en: (n: number) => plural(n, 'missed webhook', 'missed webhooks'),
  },
  faults: {
    es: (n: number, hits: number) => `${plural(n, 'fallo activo', 'fallos activos')}, ${number(hits)} aplicados`,
    pt: (n: number, hits: number) => `${plural(n, 'falha ativa', 'falhas ativas')}, ${number(hits)} aplicadas`,
    en: (n: number, hits: number) => `${plural(n, 'fault active', 'faults active')}, ${number(hits)} applied`,
  },
  refused: {
    es: (n: number) => `${plural(n, 'llamada rechazada', 'llamadas rechazadas')} (4xx)`,
    pt: (n: number) => `${plural(n, 'chamada recusada', 'chamadas recusadas')} (4xx)`,
    en: (n: number) => `${plural(n, 'refused request', 'refused requests')} (4xx)`,
  },
  failed: {
    es: (n: number) => `${plural(n, 'llamada con error', 'llamadas con error')} (5xx)`,
    pt: (n: number) => `${plural(n, 'chamada com erro', 'chamadas com erro')} (5xx)`,
    en: (n: number) => `${plural(n, 'failed request', 'failed requests')} (5xx)`,
  },
  unanswered: {
    es: (n: number) => `${plural(n, 'llamada', 'llamadas')} sin respuesta`,
    pt: (n: number) => `${plural(n, 'chamada', 'chamadas')} sem resposta`,
    en: (n: number) => `${plural(n, 'request', 'requests')} without an answer`,
  },
  dropped: {
    es: (n: number) => `${number(n)} llamadas ya no se guardan`,
    pt: (n: number) => `${number(n)} chamadas já não são guardadas`,
    en: (n: number) => `${number(n)} requests are no longer stored`,
  },
  held: {
    es: (n: number) => plural(n, 'notificación retenida', 'notificaciones retenidas'),
    pt: (n: number) => plural(n, 'notificação retida', 'notificações retidas'),
    en: (n: number) => plural(n, 'webhook held', 'webhooks held'),
  },
  requests: { es: 'Llamadas', pt: 'Chamadas', en: 'Requests' },
  items: {
    es: (n: number) => plural(n, 'publicación', 'publicaciones'),
    pt: (n: number) => plural(n, 'anúncio', 'anúncios'),
    en: (n: number) => plural(n, 'listing', 'listings'),
  },
  users: {
    es: (n: number) => plural(n, 'usuario', 'usuarios'),
    pt: (n: number) => plural(n, 'usuário', 'usuários'),
    en: (n: number) => plural(n, 'user', 'users'),
  },
  questions: {
    es: (n: number, open: number) => `${plural(n, 'pregunta', 'preguntas')}, ${number(open)} sin responder`,
    pt: (n: number, open: number) => `${plural(n, 'pergunta', 'perguntas')}, ${number(open)} sem resposta`,
    en: (n: number, open: number) => `${plural(n, 'question', 'questions')}, ${number(open)} unanswered`,
  },
  contacts: {
    es: (n: number) => `${plural(n, 'contacto', 'contactos')} en 24 h`,
    pt: (n: number) => `${plural(n, 'contato', 'contatos')} em 24 h`,
    en: (n: number) => `${plural(n, 'contact', 'contacts')} in 24 h`,
  },
  loans: {
    es: (n: number) => plural(n, 'solicitud de crédito', 'solicitudes de crédito'),
    pt: (n: number) => plural(n, 'pedido de crédito', 'pedidos de crédito'),
    en: (n: number) => plural(n, 'lead', 'leads'),
  },
  flex: {
    es: (n: number) => plural(n, 'suscripción Flex', 'suscripciones Flex'),
    pt: (n: number) => plural(n, 'assinatura Flex', 'assinaturas Flex'),
    en: (n: number) => plural(n, 'Flex subscription', 'Flex subscriptions'),
  },
  snapshots: {
    es: (n: number) => plural(n, 'instantánea', 'instantáneas'),
    pt: (n: number) => plural(n, 'instantâneo', 'instantâneos'),
    en: (n: number) => plural(n, 'snapshot', 'snapshots'),
  },
  applications: {
    es: (n: number) => plural(n, 'aplicación', 'aplicaciones'),
    pt: (n: number) => plural(n, 'aplicação', 'aplicações'),
    en: (n: number) => plural(n, 'application', 'applications'),
  },
  lastMinutes: { es: 'Últimos diez minutos', pt: 'Últimos dez minutos', en: 'Last ten minutes' },
  refusals: { es: 'Rechazadas', pt: 'Recusadas', en: 'Refused' },
  p95: { es: 'Duración (p95)', pt: 'Duração (p95)', en: 'Duration (p95)' },
  curve: {
    es: (title: string, values: string) => `${title} por minuto: ${values}`,
    pt: (title: string, values: string) => `${title} por minuto: ${values}`,
    en: (title: string, values: string) => `${title} by minute: ${values}`,
  },
  lastRefusals: { es: 'Últimos rechazos', pt: 'Últimas recusas', en: 'Latest refusals' },
  next: { es: 'Lo que vence o se envía después', pt: 'O que vence ou é enviado depois', en: 'What is due next' },
  nothingNext: { es: 'Nada pendiente.', pt: 'Nada pendente.', en: 'Nothing is due.' },
  about: { es: 'Este mundo', pt: 'Este mundo', en: 'This world' },
  scenario: { es: 'escenario', pt: 'cenário', en: 'scenario' },
  seed: { es: 'semilla', pt: 'semente', en: 'seed' },
  created: { es: 'creado', pt: 'criado', en: 'created' },
  snapshot: { es: 'Guardar una instantánea', pt: 'Salvar um instantâneo', en: 'Take a snapshot' },
  snapshotName: { es: 'Nombre', pt: 'Nome', en: 'Name' },
  saved: {
    es: (name: string) => `Punto «${name}» guardado`,
    pt: (name: string) => `Instantâneo “${name}” guardado`,
    en: (name: string) => `Snapshot “${name}” taken`,
  },
  reset: { es: 'Reiniciar', pt: 'Reiniciar', en: 'Reset' },
  resetTitle: {
    es: (world: string) => `¿Reiniciar ${world}?`,
    pt: (world: string) => `Reiniciar ${world}?`,
    en: (world: string) => `Reset ${world}?`,
  },
  resetWhy: {
    es: 'Vuelve al principio: se pierden los datos, el reloj y las aplicaciones que se crearon. Las llamadas guardadas quedan.',
    pt: 'Volta ao início: perdem-se os dados, o relógio e as aplicações que foram criadas. As chamadas guardadas ficam.',
    en: 'Back to the beginning: data, clock and applications that were created are lost. The recorded requests stay.',
  },
  resetDone: { es: 'Mundo reiniciado', pt: 'Mundo reiniciado', en: 'World reset' },
} satisfies Texts
