import type { ComponentType } from 'preact'
import type { IconName } from '../parts/icons.tsx'
import type { Language } from '../words/words.ts'

/** The part of a screen that the menu needs; the rest is loaded when the screen is opened. */
export interface Screen {
  /** First segment of its address; empty for the overview. */
  name: string
  title: Record<Language, string>
  icon: IconName
  /** The letter that opens it, after `g`. */
  letter: string
  load(): Promise<{ default: ComponentType<ScreenProps> }>
}

export interface ScreenProps {
  /** The other segments of the address, such as the id of what is open. */
  path: string[]
  query: Record<string, string>
}
