import type { DemoGenerator } from '../demo.ts'

export const generateRows: DemoGenerator = (shops) => ({
  user: shops
    .flatMap(({ cast }) => [cast.seller, ...cast.buyers, ...cast.shoppers, ...cast.spammers])
    .map(({ row }) => row),
})
