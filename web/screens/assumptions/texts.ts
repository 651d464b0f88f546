import type { Texts } from '../../words/words.ts'

export const texts = {
  means: { es: 'De qué trata', pt: 'Do que trata', en: 'What it is about' },
  value: { es: 'Valor', pt: 'Valor', en: 'Value' },
  kind: { es: 'Tipo', pt: 'Tipo', en: 'Kind' },
  domain: { es: 'Tema', pt: 'Tema', en: 'Topic' },
  switch: { es: 'Se eligen', pt: 'Com escolha', en: 'With a choice' },
  fixed: { es: 'Fijos', pt: 'Fixas', en: 'Fixed' },
  changed: { es: 'Cambiados', pt: 'Alteradas', en: 'Changed' },
  used: { es: 'Usados', pt: 'Usadas', en: 'Used' },
  usedBy: { es: 'Llamadas que se apoyan en él', pt: 'Chamadas que se apoiam nela', en: 'Calls that rest on it' },
  standard: { es: 'De fábrica', pt: 'Padrão', en: 'Default' },
  source: { es: 'Fuente', pt: 'Fonte', en: 'Source' },
  assumed: {
    es: 'supuesto: no hay fuente pública',
    pt: 'suposição: não há fonte pública',
    en: 'assumed: there is no public source',
  },
  observed: {
    es: 'observado; se puede querer otra cosa',
    pt: 'observado; pode-se querer outra coisa',
    en: 'observed; other behaviour may be wanted',
  },
  inThisWorld: { es: 'En este mundo', pt: 'Neste mundo', en: 'In this world' },
  forNewWorlds: {
    es: 'En los mundos nuevos de un servidor',
    pt: 'Nos mundos novos de um servidor',
    en: 'In new worlds of a server',
  },
  copyFlag: { es: 'Copiar como --assume', pt: 'Copiar como --assume', en: 'Copy as --assume' },
  fixedWhy: {
    es: 'Este servidor se comporta siempre así.',
    pt: 'Este servidor se comporta sempre assim.',
    en: 'This server always behaves like this.',
  },
  unknown: { es: 'No hay un supuesto {}', pt: 'Não há uma suposição {}', en: 'There is no assumption {}' },
} as const satisfies Texts
