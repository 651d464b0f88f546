import t from 'tap'
import { comparesAnswers } from './compare.ts'

await comparesAnswers(t, ({ isLong }) => isLong)
