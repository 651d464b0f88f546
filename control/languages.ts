import { Type } from '@sinclair/typebox'
import { OneOf } from '../domains/shared/schemas.ts'
import { LANGUAGES } from '../http/errors/checks.ts'

export const LanguageQuery = {
  lang: Type.Optional(
    OneOf([...LANGUAGES], {
      description: 'Language of the texts; default: the first of these that Accept-Language prefers, else en',
      examples: ['es'],
    }),
  ),
}
/** Declared, so that the answer may depend on it. */
export const LanguageHeaders = Type.Object({
  'accept-language': Type.Optional(Type.String({ description: 'Preferred languages', examples: ['es-AR,es;q=0.9'] })),
})
