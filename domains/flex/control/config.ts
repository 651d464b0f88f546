import { controlConfig } from '../../shared/control_schemas.ts'

export const config = controlConfig('Flex', 'Subscriptions, shipments and drivers')
