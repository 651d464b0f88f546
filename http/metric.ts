/** A number that `/metrics` reads at each scrape, besides those of every server. */
export interface Metric {
  kind: 'counter' | 'gauge'
  name: string
  help: string
  read(): number
}
