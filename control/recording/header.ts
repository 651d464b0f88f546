import { realNow } from '../../db/clock.ts'
import { utcMillis } from '../../domains/shared/instants.ts'
import about from '../../package.json' with { type: 'json' }
import { FORMAT, FORMAT_VERSION, type HeaderLine } from './format.ts'

/** The first line. */
export const createHeader = (source: HeaderLine['source'], upstream?: string): HeaderLine => ({
  ...{ kind: 'header', format: FORMAT, version: FORMAT_VERSION, mercadito: about.version },
  ...{ created_at: utcMillis(realNow()), source },
  ...(upstream !== undefined && { upstream }),
})
