import { controlConfig } from '../../domains/shared/control_schemas.ts'

export const config = controlConfig('Requests', 'Recorded calls, and their verification')
