import { badRequest } from '../../../http/errors/control_errors.ts'

/** The users of a file, as its other elements refer to them. */
export interface UserIndex {
  add(id: number, user: { site_id: string; nickname: string; city: string }): void
  has(id: number): boolean
  /** The id of a user, given by id or nickname; throws 400 if there is none, or several with the nickname. */
  resolve(place: string, ref: number | string): number
  siteOf(id: number): string
  cityOf(id: number): string
}

export function createUserIndex(): UserIndex {
  const byId = new Map<number, { site_id: string; city: string }>()
  const byNickname = new Map<string, number | 'several'>()
  return {
    add(id, { site_id, nickname, city }) {
      byId.set(id, { site_id, city })
      byNickname.set(nickname, byNickname.has(nickname) ? 'several' : id)
    },
    has: (id) => byId.has(id),
    resolve(place, ref) {
      const id = typeof ref === 'number' ? ref : byNickname.get(ref)
      if (id === 'several') throw badRequest(`${place}: several users of the file have the nickname ${ref}; use an id`)
      if (id === undefined || !byId.has(id)) throw badRequest(`${place}: the file has no user ${ref}`)
      return id
    },
    siteOf: (id) => byId.get(id)!.site_id,
    cityOf: (id) => byId.get(id)!.city,
  }
}

interface IndexedItem {
  seller_id: number
  status: string
  /** The file says what was sold of it; otherwise its orders do. */
  hasSold: boolean
}

/** The listings of a file, by id. */
export interface ItemIndex {
  add(id: string, item: IndexedItem): void
  /** The listing that `item_id` of the element at `place` refers to; throws 400 if there is none. */
  resolve(place: string, id: string): IndexedItem
}

export function createItemIndex(): ItemIndex {
  const byId = new Map<string, IndexedItem>()
  return {
    add: (id, item) => byId.set(id, item),
    resolve(place, id) {
      const item = byId.get(id)
      if (!item) throw badRequest(`${place}.item_id: the file has no listing ${id}`)
      return item
    },
  }
}
