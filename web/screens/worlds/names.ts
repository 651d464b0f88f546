import type { Schemas } from '../../../lib/types.ts'
import { words as common } from '../../words/index.ts'
import { distanceOf } from '../../words/time.ts'
import { basePath, consoleOf } from '../../world/base.ts'

export type World = Schemas['ListedWorld']

/** `Checkout tests`, or `World 2`. */
export const nameOf = ({ id, name }: World): string => name ?? common().world(id)

/** The worlds screen in the console of another world. */
export const linkTo = (id: number): string => `${consoleOf(basePath(location.pathname), id)}#/worlds`

/** `5 min ago`, of a time of this machine. */
export const fromNow = (instant: string): string => distanceOf(Date.parse(instant), Date.now())
