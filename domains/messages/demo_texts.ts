import type { Site } from '../demo.ts'

// What buyers write after a purchase, and what sellers answer. {name}: first name of the buyer.

interface Exchange {
  ask: readonly string[]
  answer: readonly string[]
}
interface MessageTexts {
  exchanges: readonly Exchange[]
  /** After an answer. */
  thanks: readonly string[]
  /** Of a seller, with a link that is not allowed. */
  moderated: string
}

export const MESSAGE_TEXTS: Record<Site['language'], MessageTexts> = {
  es: {
    exchanges: [
      {
        ask: [
          'Hola, ¿cuándo despachan mi compra?',
          'Buenas, ¿ya salió el paquete?',
          'Hola! Lo necesito para el viernes, ¿llega?',
        ],
        answer: ['Hola {name}, sale hoy por la tarde.', 'Hola, lo despachamos mañana a primera hora.'],
      },
      {
        ask: [
          'Hola, ¿me pueden hacer factura A?',
          'Necesito la factura a nombre de mi empresa, ¿a quién le paso los datos?',
        ],
        answer: ['Sí, {name}, la adjuntamos cuando salga el envío.', 'Hola, la factura va dentro del paquete.'],
      },
      {
        ask: ['Hola, ¿lo pueden envolver para regalo?', 'Es un regalo, ¿puede ir sin el precio?'],
        answer: ['¡Claro! Va envuelto y sin factura en la caja.', 'Hola {name}, lo preparamos para regalo sin cargo.'],
      },
      {
        ask: [
          'El timbre no anda, ¿le avisan al correo que llame?',
          'Trabajo hasta las 18, ¿lo pueden dejar con el encargado?',
        ],
        answer: ['Hola {name}, lo anotamos en la etiqueta.', 'Dejamos el aviso, pero el horario lo decide el correo.'],
      },
      {
        ask: ['Hola, me llegó pero falta el manual.', 'Llegó bien, ¿cómo se limpia?'],
        answer: ['Hola {name}, te lo mandamos por acá en un rato.', 'Con un paño húmedo, sin detergente.'],
      },
      {
        ask: ['¿Tiene garantía si falla?', 'Si no me va, ¿lo puedo cambiar?'],
        answer: ['Sí, 6 meses con nosotros.', 'Claro {name}, tenés 30 días para el cambio.'],
      },
    ],
    thanks: ['¡Gracias!', 'Perfecto, muchas gracias.', 'Genial, espero entonces.', 'Ok, gracias por avisar 👍'],
    moderated: 'Hola {name}, seguí tu envío en https://bit.ly/3seguimiento',
  },
  pt: {
    exchanges: [
      {
        ask: [
          'Oi, quando vocês enviam minha compra?',
          'Bom dia, o pacote já saiu?',
          'Preciso até sexta, chega a tempo?',
        ],
        answer: ['Olá {name}, sai hoje à tarde.', 'Oi, enviamos amanhã cedo.'],
      },
      {
        ask: ['Oi, vocês mandam a nota fiscal?', 'Preciso da nota no CNPJ da empresa, para quem passo os dados?'],
        answer: ['Sim, {name}, ela vai dentro da caixa.', 'Oi, anexamos a nota quando o envio sair.'],
      },
      {
        ask: ['É um presente, pode ir sem o preço?', 'Vocês embrulham para presente?'],
        answer: ['Claro! Vai embrulhado e sem o valor.', 'Oi {name}, preparamos para presente sem custo.'],
      },
      {
        ask: ['O interfone não funciona, podem pedir para ligar?', 'Trabalho até as 18h, pode deixar na portaria?'],
        answer: ['Oi {name}, anotamos na etiqueta.', 'Deixamos o aviso, mas o horário é da transportadora.'],
      },
      {
        ask: ['Chegou, mas faltou o manual.', 'Chegou certinho, como limpo?'],
        answer: ['Oi {name}, já mando por aqui.', 'Com um pano úmido, sem detergente.'],
      },
      {
        ask: ['Tem garantia se der defeito?', 'Se não servir, posso trocar?'],
        answer: ['Sim, 6 meses conosco.', 'Claro {name}, você tem 30 dias para a troca.'],
      },
    ],
    thanks: ['Obrigado!', 'Perfeito, muito obrigada.', 'Show, fico no aguardo.', 'Ok, obrigado por avisar 👍'],
    moderated: 'Oi {name}, acompanhe seu envio em https://bit.ly/3rastreio',
  },
}
