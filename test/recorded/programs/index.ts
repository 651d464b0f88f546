import type { TestApp } from '../../support/app.ts'
import type { Exchange } from '../exchange.ts'
import { recordProgram } from '../recorder.ts'
import { data, deliveries, faultsAndRequests, people, worlds } from './control.ts'
import { flex } from './flex.ts'
import { contacts, credits, items, oauth, questions } from './journeys.ts'
import { oldDataFolders } from './old_data.ts'
import { rawSockets } from './sockets.ts'
import { tables } from './tables.ts'
import { controlMethods, jsonp, methods, queries } from './variants.ts'
import { webhooks } from './webhooks.ts'
import { worldFiles } from './world_files.ts'

type Program = (app: TestApp) => Promise<unknown>

/** The users of these sites only: all sites behave alike. */
const onSites =
  (sites: readonly string[], program: Program): Program =>
  ({ sellers, buyers, ...app }) => {
    const isOfSites = ({ site_id }: { site_id: string }) => sites.includes(site_id)
    return program({ ...app, sellers: sellers.filter(isOfSites), buyers: buyers.filter(isOfSites) })
  }

/** The programs whose calls and answers are recorded, by the name of their file. */
export const PROGRAMS: Record<string, () => Promise<Exchange[]>> = {
  contacts: () => recordProgram({}, onSites(['MLA'], contacts)),
  questions: () => recordProgram({}, onSites(['MLA'], questions)),
  flex: () => recordProgram({}, onSites(['MLA', 'MLB', 'MLC'], flex)),
  credits: () => recordProgram({}, onSites(['MLA', 'MLB'], credits)),
  oauth: () => recordProgram({}, oauth),
  items: () => recordProgram({}, onSites(['MLA'], items)),
  'control-data': () => recordProgram({ settles: true }, data),
  'control-faults': () => recordProgram({ settles: true }, faultsAndRequests),
  'control-people': () => recordProgram({ settles: true }, people),
  'control-worlds': () => recordProgram({ settles: true }, worlds),
  'control-methods': () => recordProgram({ scenario: 'empty' }, controlMethods),
  deliveries: () => recordProgram({ settles: true }, deliveries),
  methods: () => recordProgram({}, methods),
  jsonp: () => recordProgram({}, jsonp),
  queries: () => recordProgram({}, queries),
  'world-files': () => recordProgram({ scenario: 'empty' }, worldFiles),
  'old-data': oldDataFolders,
  sockets: rawSockets,
  tables,
  webhooks,
}
