import { routesOf } from '../shared/routes.ts'
import attachments from './attachment_routes.ts'
import conversations from './conversation_routes.ts'
import guide from './guide_routes.ts'

export default routesOf(conversations, attachments, guide)
