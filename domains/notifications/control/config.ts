import { controlConfig } from '../../shared/control_schemas.ts'

export const config = controlConfig('Notifications', 'What applications are told of changes, and how that went')
