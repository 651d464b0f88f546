import type { DemoGenerator } from '../demo.ts'

export const generateRows: DemoGenerator = (shops) => {
  const listings = shops.flatMap(({ listings }) => listings)
  return {
    item: listings.map(({ row }) => row),
    item_description: listings
      .filter(({ description }) => description !== undefined)
      .map(({ row: { id, date_created }, description }) => ({
        item_id: id,
        plain_text: description,
        date_created,
        last_updated: date_created,
      })),
  }
}
