import { routesOf } from '../shared/routes.ts'
import applications from './application_routes.ts'
import authorization from './authorization_routes.ts'
import token from './token_routes.ts'

export default routesOf(token, authorization, applications)
