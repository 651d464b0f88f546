import { controlConfig } from '../../domains/shared/control_schemas.ts'

export const config = controlConfig('Service', 'How the server itself is')
