import { median, quantile, table } from './tables.ts'

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

/** The median, and the middle half in brackets. */
export const spread = (values: number[], format: (value: number) => string): string =>
  `${format(median(values))} (${format(quantile(values, 0.25))}–${format(quantile(values, 0.75))})`

export const withoutGoal = (name: string, values: number[], format: (value: number) => string): Measurement => ({
  name,
  value: spread(values, format),
  goal: '',
  isMet: true,
})

type WithGoal = (goal: number, name: string, values: number[], format: (value: number) => string) => Measurement

/** Whose median must not be above the goal. */
export const atMost: WithGoal = (goal, name, values, format) => ({
  name,
  value: spread(values, format),
  goal: `≤ ${format(goal)}`,
  isMet: median(values) <= goal,
})

/** Whose median must not be below the goal. */
export const atLeast: WithGoal = (goal, name, values, format) => ({
  ...atMost(goal, name, values, format),
  goal: `≥ ${format(goal)}`,
  isMet: median(values) >= goal,
})
