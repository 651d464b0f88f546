import { LANGUAGES, type Language } from './errors/checks.ts'

const isLanguage = (text: string): text is Language => LANGUAGES.includes(text as Language)

/** The language of `?lang=`, else the first that `Accept-Language` prefers and that there is, else English. */
export function languageOf(lang: Language | undefined, acceptLanguage = ''): Language {
  if (lang !== undefined) return lang
  return (
    acceptLanguage
      .split(',')
      .map((part) => {
        const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
        const quality = parameters.map((one) => /^\s*q=([\d.]+)\s*$/.exec(one)?.[1]).find((q) => q !== undefined)
        return { language: range.trim().split('-')[0]!, quality: Number(quality ?? 1) }
      })
      .filter(({ quality }) => quality > 0)
      .sort((a, b) => b.quality - a.quality)
      .map(({ language }) => language)
      .find(isLanguage) ?? 'en'
  )
}
