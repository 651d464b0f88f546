import { ACCESS_DRILLS } from './access.ts'
import type { Drill } from './drill.ts'
import { SERVICE_DRILLS } from './service.ts'

export const DRILLS: readonly Drill[] = [...ACCESS_DRILLS, ...SERVICE_DRILLS]
