import { routesOf } from '../../shared/routes.ts'
import applications from './applications.ts'
import tokens from './tokens.ts'

export default routesOf(applications, tokens)
