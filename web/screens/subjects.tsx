import { useId } from 'preact/hooks'
import type { Operations } from '../../lib/types.ts'
import { Input, Options } from '../parts/form.tsx'
import { foreign, visible } from '../parts/values.tsx'
import { formatAddress } from '../world/address.ts'
import { read } from '../world/client.ts'
import { useCall, useLoad } from '../world/load.ts'

/** The nicknames of sellers by their numbers. */
export function useSellers(): Map<number, string> {
  const sellers = useCall('GET /users', { query: { kind: 'seller', limit: 1000 } }).data?.results ?? []
  return new Map(sellers.map(({ id, nickname }) => [id, nickname]))
}

export const UserLink = ({ id, nickname = '' }: { id: number; nickname?: string | undefined }) => (
  <a href={formatAddress('users', [id])}>
    {foreign(nickname)} {id}
  </a>
)

/** Listings and buyers that are offered. Others can be typed, or used with the CLI. */
export const MAX_OFFERED = 50
/** Letters of the site, with which the id of a listing begins. */
const SITE_LENGTH = 3
type Site = Operations['GET /users']['query']['site_id']

interface ListingInputProps {
  label: string
  value?: string
  onValue?: (id: string) => void
  /** Those that are offered. */
  listings: { id: string; title: string }[]
  placeholder?: string
  autofocus?: boolean
}

/** The id of a listing, as `item_id` in a form. */
export function ListingInput({ value = '', onValue, listings, ...attributes }: ListingInputProps) {
  const list = useId()
  return (
    <>
      <Input
        {...attributes}
        name="item_id"
        value={value}
        list={list}
        required
        // A listing that is read later must not join what is typed.
        onFocus={() => onValue?.(value)}
        onInput={({ currentTarget }) => onValue?.(currentTarget.value)}
      />
      <datalist id={list}>
        {listings.map(({ id, title }) => (
          <option key={id} value={id}>
            {visible(title)}
          </option>
        ))}
      </datalist>
    </>
  )
}

interface BuyerOptionsProps {
  label: string
  /** The member of the body. */
  name: string
  /** Whose site it is. */
  listing: string
  /** Before the buyers. */
  first: (readonly [value: string, title: string])[]
}

/** The buyers of the listing's site. */
export function BuyerOptions({ label, name, listing, first }: BuyerOptionsProps) {
  const site = listing.slice(0, SITE_LENGTH)
  const load = async (signal: AbortSignal) => {
    if (site.length < SITE_LENGTH) return []
    const query = { kind: 'buyer', site_id: site as Site, limit: MAX_OFFERED } as const
    return (await read('GET /users', { query, signal })).results
  }
  const buyers = (useLoad(load, { key: site }).data ?? []).map(
    ({ id, nickname }) => [String(id), visible(nickname)] as const,
  )
  return <Options label={label} name={name} data-json options={[...first, ...buyers]} />
}
