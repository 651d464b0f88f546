import { controlConfig } from '../../domains/shared/control_schemas.ts'

export const config = controlConfig('Requests', 'What was called, and whether it was what you expected')
