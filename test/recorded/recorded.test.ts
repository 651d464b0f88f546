import t from 'tap'
import { compareAnswers } from './compare.ts'

await compareAnswers(t, ({ isLong }) => !isLong)
