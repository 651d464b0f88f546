import {
  type ClockFacts,
  compareClocks,
  type Rights,
  readRights,
  readServer,
  type ServerFacts,
} from '../storage/inspection.ts'
import { MAX_CONNECTIONS, readNodes, type StoredNode } from '../storage/nodes.ts'
import { readTablesVersion, TABLES_VERSION, type TablesVersion } from '../storage/schema.ts'
import { DatabaseProblem, databaseName, withDatabase } from './errors.ts'

export interface Finding {
  check: string
  ok: boolean
  /** A server runs, but with less safety than it may have. */
  warning?: true
  /** The result; if it is bad or a warning, what to do. */
  result: string
}

const TIMEOUT_MS = 10_000
/** PostgreSQL 13. */
const MIN_VERSION = 130_000
const MAX_CLOCK_DIFFERENCE_MS = 1000

const good = (check: string, result: string): Finding => ({ check, ok: true, result })
const warn = (check: string, result: string): Finding => ({ check, ok: true, warning: true, result })
const bad = (check: string, result: string): Finding => ({ check, ok: false, result })

/** Checks a database that servers share. What cannot be known because of another finding is left out. */
export async function checkDatabase(url: string): Promise<Finding[]> {
  try {
    return await withDatabase(url, TIMEOUT_MS, async ({ query }) => {
      const server = await readServer(query)
      const rights = await readRights(query)
      const clock = await compareClocks(query)
      const isReadable = rights.lacking.length === 0
      const tables = isReadable ? await readTablesVersion(query) : undefined
      const isCurrent = tables !== undefined && isUsable(tables)
      return [
        checkServer(databaseName(url), server, clock),
        checkWrites(server),
        checkRights(server, rights, isCurrent),
        ...(isReadable ? [checkTables(tables)] : []),
        checkDurability(server),
        checkClock(clock),
        checkConnections(server),
        ...(isCurrent ? [checkServers(await readNodes(query))] : []),
      ]
    })
  } catch (error) {
    if (error instanceof DatabaseProblem) return [bad('database', error.message)]
    throw error
  }
}

function checkServer(name: string, { role, version, versionNumber, bytes }: ServerFacts, clock: ClockFacts): Finding {
  const result = `${name} as ${role}, PostgreSQL ${version}`
  if (versionNumber < MIN_VERSION) return bad('database', `${result}; use PostgreSQL 13 or newer`)
  return good('database', `${result}, ${(bytes / 1e6).toFixed(1)} MB, answers in ${clock.roundTrip.toFixed(1)} ms`)
}

function checkWrites({ isStandby, isReadOnly, role }: ServerFacts): Finding {
  if (isStandby) return bad('writes', 'the database is a read-only standby; name the primary in --database')
  if (isReadOnly)
    return bad('writes', `transactions are read-only; set default_transaction_read_only to off for ${role}`)
  return good('writes', 'the database is a primary')
}

function checkRights({ role }: ServerFacts, rights: Rights, isCurrent: boolean): Finding {
  const { hasSchema, mayCreate, isOwner, lacking } = rights
  if (lacking.length > 0) {
    const others = lacking.length > 1 ? `, and ${lacking.length - 1} more` : ''
    return bad('rights', `${role} lacks ${lacking[0]}${others}; as the owner of the tables: ${grantsTo(role)}`)
  }
  if (isCurrent) return good('rights', `${role} may use the tables`)
  if (!mayCreate)
    return bad(
      'rights',
      `${role} may not create tables; GRANT CREATE ON ${hasSchema ? 'SCHEMA mercadito' : 'DATABASE'} to it, or start the first server as another user`,
    )
  if (!isOwner)
    return bad('rights', `${role} does not own the tables; start the first server of this version as their owner`)
  return good('rights', `${role} may create and change the tables`)
}

const grantsTo = (role: string): string =>
  [
    'USAGE ON SCHEMA mercadito',
    'SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA mercadito',
    'USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA mercadito',
    'EXECUTE ON ALL FUNCTIONS IN SCHEMA mercadito',
  ]
    .map((rights) => `GRANT ${rights} TO ${role};`)
    .join(' ')

/** Whether a server can use the tables without a change. */
const isUsable = ({ version, compatible }: TablesVersion): boolean =>
  version >= TABLES_VERSION.version && compatible <= TABLES_VERSION.version

function checkTables(found: TablesVersion | undefined): Finding {
  if (!found) return good('tables', 'none yet; the first server creates them')
  const { version, compatible, program } = found
  const made = `version ${version}, of mercadito ${program}`
  if (compatible > TABLES_VERSION.version)
    return bad('tables', `${made}: they are too new for this program; start mercadito ${program} or a later version`)
  if (version < TABLES_VERSION.version)
    return good(
      'tables',
      `${made}; the next server that starts migrates them to version ${TABLES_VERSION.version}: back up first`,
    )
  return good('tables', made)
}

/** Whether an acknowledged write survives the loss of a machine of the database. */
function checkDurability({ isFsyncOn, synchronousCommit, standbyNames, standbys }: ServerFacts): Finding {
  const check = 'durability'
  if (!isFsyncOn) return warn(check, 'fsync is off: a power cut can destroy the database; switch it on')
  if (synchronousCommit === 'off')
    return warn(check, 'synchronous_commit is off: a crash of the database loses acknowledged writes; set it to on')
  if (standbyNames === '' || standbys === 0) {
    const reason =
      standbyNames === '' ? 'synchronous_standby_names is empty' : 'none of those in its settings is connected'
    return warn(
      check,
      `no synchronous standby (${reason}): if the machine of the database is lost, so are acknowledged writes; add one, unless its disk is replicated`,
    )
  }
  if (synchronousCommit === 'local')
    return warn(check, 'synchronous_commit is local: a failover loses acknowledged writes; set it to on')
  const count = standbys === null ? `${standbyNames}; members of pg_monitor see which are connected` : standbys
  return good(check, `synchronous_commit is ${synchronousCommit}, synchronous standbys: ${count}`)
}

/** Worlds follow the clock of the database, but logs and certificates that of the machine. */
function checkClock({ ahead, roundTrip }: ClockFacts): Finding {
  const difference = Math.max(Math.abs(ahead) - roundTrip / 2, 0)
  const seconds = `${(difference / 1000).toFixed(1)} s`
  if (difference > MAX_CLOCK_DIFFERENCE_MS)
    return warn(
      'clock',
      `the database is ${seconds} ${ahead > 0 ? 'ahead of' : 'behind'} this machine; worlds follow the database: set both clocks by NTP`,
    )
  return good('clock', `differs from that of the database by ${seconds}`)
}

function checkConnections({ connections, freeConnections, role }: ServerFacts): Finding {
  const result = `${connections} in use, ${freeConnections} free; a server uses up to ${MAX_CONNECTIONS}`
  return freeConnections >= MAX_CONNECTIONS
    ? good('connections', result)
    : bad('connections', `${result}; raise max_connections of PostgreSQL, or the limit of ${role} or the database`)
}

function checkServers(nodes: StoredNode[]): Finding {
  const alive = nodes.filter(({ isAlive }) => isAlive)
  const list = alive.map(({ url }) => url ?? 'one without --advertise').join(', ')
  const result = `${alive.length} alive${list && `: ${list}`}`
  return alive.length > 1 && alive.some(({ url }) => url === null)
    ? warn('servers', `${result}; start each with --advertise, so that the others reach it`)
    : good('servers', result)
}
