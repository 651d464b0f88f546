import { es as assumptions } from './assumptions/words_es.ts'
import { es as clock } from './clock/words_es.ts'
import { es as credits } from './credits/words_es.ts'
import { es as faults } from './faults/words_es.ts'
import { es as flex } from './flex/words_es.ts'
import { es as live } from './live/words_es.ts'
import { es as questions } from './questions/words_es.ts'
import { es as requests } from './requests/words_es.ts'
import { es as settings } from './settings/words_es.ts'
import { es as start } from './start/words_es.ts'
import { es as statistics } from './statistics/words_es.ts'
import { es as webhooks } from './webhooks/words_es.ts'
import { es as worlds } from './worlds/words_es.ts'

export const es = {
  assumptions,
  clock,
  credits,
  faults,
  flex,
  live,
  questions,
  requests,
  settings,
  start,
  statistics,
  webhooks,
  worlds,
}
