import { table } from './tables.ts'

/** A measured value, and its goal. */
export interface Figure {
  name: string
  /** As measured, with its unit. */
  value: string
  /** Empty when there is none. */
  goal: string
  isMet: boolean
}

export const figuresTable = (figures: Figure[]): string =>
  table(
    ['what', 'measured', 'goal', ''],
    figures.map(({ name, value, goal, isMet }) => [name, value, goal, goal === '' ? '' : isMet ? 'met' : 'missed']),
  )
