import t from 'tap'
import { storyOf } from '../../web/screens/worlds/story.ts'
import { texts } from '../../web/screens/worlds/texts.ts'
import { LANGUAGES, type Language } from '../../web/words/words.ts'

const inLanguage = (part: Record<string, Record<Language, string>>, language: Language) =>
  Object.fromEntries(Object.entries(part).map(([name, text]) => [name, text[language]]))

/** In all languages. */
const story = (...tables: Parameters<typeof storyOf>[0]['tables']) =>
  LANGUAGES.map((language) =>
    storyOf({ tables }, { nouns: inLanguage(texts.nouns, language), verbs: inLanguage(texts.verbs, language) }).join(
      ', ',
    ),
  )
const table = (
  name: string,
  added: number,
  removed: number,
  changed: number,
  by_status: [string | null, string | null, number][] = [],
) => ({
  ...{ table: name, added, removed, changed },
  by_status: by_status.map(([before, after, count]) => ({ before, after, count })),
})

t.test('what became of the rows is told in words, as one or several', async (t) => {
  t.strictSame(
    story(
      table('question', 1, 0, 4, [
        [null, 'UNANSWERED', 1],
        ['UNANSWERED', 'ANSWERED', 3],
      ]),
      table('credit_lead', 0, 1, 0, [['approved', null, 1]]),
      table('item', 2, 0, 0, [[null, 'active', 2]]),
    ),
    [
      '1 pregunta nueva, 3 preguntas respondidas, 1 pregunta cambiada, 1 solicitud de crédito menos, 2 publicaciones nuevas',
      '1 pergunta nova, 3 perguntas respondidas, 1 pergunta alterada, 1 pedido de crédito a menos, 2 anúncios novos',
      '1 question created, 3 questions answered, 1 question changed, 1 lead gone, 2 listings created',
    ],
  )
})

t.test('new rows of another status than usual have it, and a status without a word is a change', async (t) => {
  const [, , en] = story(
    table('question', 2, 0, 0, [
      [null, 'ANSWERED', 1],
      [null, 'UNANSWERED', 1],
    ]),
    table('notification', 0, 0, 1, [['pending', 'held', 1]]),
  )
  t.equal(en, '2 questions created, 1 question answered, 1 webhook changed')
})

t.test('tables that follow from others are not told', async (t) => {
  t.strictSame(story(table('outbox', 3, 0, 0), table('world', 0, 0, 1)), ['', '', ''])
})
