import type { DemoGenerator } from '../demo.ts'

export const generateRows: DemoGenerator = (shops) => ({
  item: shops.flatMap(({ listings }) => listings).map(({ row }) => row),
})
