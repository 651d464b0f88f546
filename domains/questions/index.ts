import type { Domain } from '../domain.ts'
import { QUESTIONS } from './assumptions.ts'
import routes from './routes.ts'

export const questions: Domain = { name: 'questions', routes, assumptions: QUESTIONS }
