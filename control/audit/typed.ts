import { callsThat, type Finding } from './finding.ts'

const withoutState: Finding = {
  id: 'calls.without_state',
  severity: 'info',
  text: {
    en: {
      title: 'Calls were answered without state',
      why: 'mercadito does not emulate these paths: their lists are empty and their numbers constants, so that the program can go on. What it does with real answers was not tested.',
      fix: 'Make a stub with the answer that the program expects: it replaces the built-in one.',
    },
    es: {
      title: 'Hubo llamadas respondidas sin estado',
      why: 'mercadito no emula estas rutas: sus listas están vacías y sus números son constantes, para que el programa pueda seguir. Lo que hace con respuestas reales no se probó.',
      fix: 'Crea un stub con la respuesta que espera el programa: reemplaza la incorporada.',
    },
    pt: {
      title: 'Houve chamadas respondidas sem estado',
      why: 'O mercadito não emula estes caminhos: suas listas estão vazias e seus números são constantes, para que o programa possa continuar. O que ele faz com respostas reais não foi testado.',
      fix: 'Crie um stub com a resposta que o programa espera: ele substitui a incorporada.',
    },
  },
  find: callsThat(({ isTyped, entry }) => isTyped && entry.status !== null && entry.status !== 401),
}

export const TYPED = [withoutState]
