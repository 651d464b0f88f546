import { controlConfig } from '../../domains/shared/control_schemas.ts'

export const config = controlConfig('Service', 'Health, metrics and backups of the server')
