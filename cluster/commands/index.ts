// What the command line does with a database that servers share, without a server.

export { NewerWorld } from '../storage/directory.ts'
export { NewerSchema } from '../storage/schema.ts'
export { backUpDatabase, type RestoredDatabase, restoreDatabase } from './backup.ts'
export { checkDatabase, type Finding } from './doctor.ts'
export { DatabaseProblem, explainDatabaseError } from './errors.ts'
export { type ClusterNodes, readCluster } from './nodes.ts'
