import { routesOf } from '../../shared/routes.ts'
import configuration from './configuration.ts'
import items from './items.ts'
import subscriptions from './subscriptions.ts'

export default routesOf(subscriptions, configuration, items)
