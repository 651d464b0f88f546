import { table } from './tables.ts'

/** A measured value, and its goal. */
export interface Measurement {
  name: string
  /** As measured, with its unit. */
  value: string
  /** Empty when there is none. */
  goal: string
  isMet: boolean
}

export const measurementsTable = (measurements: Measurement[]): string =>
  table(
    ['what', 'measured', 'goal', ''],
    measurements.map(({ name, value, goal, isMet }) => [
      name,
      value,
      goal,
      goal === '' ? '' : isMet ? 'met' : 'missed',
    ]),
  )
