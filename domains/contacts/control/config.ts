import { controlConfig } from '../../shared/control_schemas.ts'

export const config = controlConfig('Contacts', 'Phone views, messaging clicks and questions')
