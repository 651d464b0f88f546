import { defineWords } from '../../words/words.ts'

export const words = defineWords({
  es: {
    title: 'Resumen',
    address: 'Dirección de la API',
    requests: 'Llamadas',
    questions: 'Preguntas sin responder',
    pending: 'Avisos por entregar',
    missed: 'Avisos perdidos',
    faults: 'Fallos',
    items: 'Publicaciones',
  },
  pt: {
    title: 'Resumo',
    address: 'Endereço da API',
    requests: 'Chamadas',
    questions: 'Perguntas sem resposta',
    pending: 'Avisos a entregar',
    missed: 'Avisos perdidos',
    faults: 'Falhas',
    items: 'Anúncios',
  },
  en: {
    title: 'Overview',
    address: 'Address of the API',
    requests: 'Requests',
    questions: 'Unanswered questions',
    pending: 'Webhooks to deliver',
    missed: 'Webhooks missed',
    faults: 'Faults',
    items: 'Listings',
  },
})
