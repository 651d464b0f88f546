import type { DemoRows, Shop } from '../../domains/demo.ts'
import type { Domain } from '../../domains/domain.ts'
import { DOMAINS } from '../../domains/index.ts'
import { random } from '../../domains/shared/demo/random.ts'
import { createRhythm } from '../../domains/shared/demo/wording.ts'
import { listingsOf } from './listings.ts'
import { peopleOf } from './people.ts'
import { SITE_IDS, SITES } from './sites.ts'
import { VOICES } from './voices.ts'

/**
 * A seller with 97 days of history in each of eight countries.
 * @param seed 0 to 2^53 − 1; determines everything but users' and listings' ids and kinds.
 * @param origin a Monday, 04:00Z (ms). Another origin changes only the times.
 */
export async function demo(seed: number, origin: number): Promise<DemoRows> {
  const shops = shopsOf(seed)
  const rows: DemoRows = {}
  for (const domain of DOMAINS) {
    const generator = await domain.demo?.()
    Object.assign(rows, generator?.generateRows(shops, rows))
  }
  for (const domain of DOMAINS) addOrigin(rows, domain, origin)
  return rows
}

function shopsOf(seed: number): Shop[] {
  const nicknames = new Set<string>()
  return SITE_IDS.map((siteId) => {
    const r = random(seed).fork(siteId)
    const voice = VOICES[siteId]
    const cast = peopleOf(siteId, r.fork('people'), nicknames)
    const listings = listingsOf(siteId, cast.seller.row.id, voice, r.fork('listings'))
    return { siteId, site: SITES[siteId], voice, cast, listings, rhythm: createRhythm(r.fork('rhythm')), random: r }
  })
}

function addOrigin(rows: DemoRows, { tables }: Domain, origin: number): void {
  for (const { name, times } of tables)
    for (const [column, unit] of Object.entries(times))
      if (unit === 'ms')
        for (const row of (rows[name] ?? []) as Record<string, number | null>[])
          if (row[column] != null) row[column] += origin
}
