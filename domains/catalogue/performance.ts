import { type TSchema, Type } from '@sinclair/typebox'
import type { FastifyPluginAsync } from 'fastify'
import { defineChecks } from '../../http/errors/checks.ts'
import { routeNotFound } from '../../http/errors/errors.ts'
import { defineSwitch } from '../../http/switches.ts'
import { detailsOf } from '../items/details.ts'
import type { ItemRow } from '../items/queries.ts'
import { utcMillis } from '../shared/instants.ts'
import type { About } from '../shared/reads.ts'
import { decimal, shape } from '../shared/shape.ts'
import { languageOf } from '../users/sites.ts'
import { attributesOf } from './attributes.ts'
import { categoryById, othersOf } from './categories.ts'
import { addReads, OWN_ITEM, SITE } from './reads.ts'

// How complete a listing is, by its pictures, attributes and title [spec: catalogue.performance].

export const HEALTH_API = defineSwitch('health.api', ['open', 'gone'])

const GOALS = [
  { key: 'PICTURES', max: 3, es: 'Agrega más fotos', pt: 'Adicione mais fotos' },
  { key: 'ATTRIBUTES', max: 4, es: 'Completa la ficha técnica', pt: 'Preencha a ficha técnica' },
  { key: 'TITLE', max: 20, es: 'Mejora el título', pt: 'Melhore o título' },
] as const

/** The part of each goal that is reached, 0 to 1. */
function goalsOf(row: ItemRow) {
  const { pictures = [], attributes = [] } = detailsOf(row)
  const category = categoryById(row.category_id ?? othersOf(row.site_id))
  const asked = category ? attributesOf(category).map(({ id }) => id) : []
  const filled = attributes.filter(({ id, value_name }) => asked.includes(id) && value_name !== null).length
  const reached = { PICTURES: pictures.length, ATTRIBUTES: filled, TITLE: row.title.length }
  const goals = GOALS.map(({ key, max, ...names }) => {
    const value = Math.min(reached[key], max)
    return { key, max, value, share: value / max, name: names[languageOf(row.site_id)] }
  })
  return { goals, share: goals.reduce((sum, one) => sum + one.share, 0) / goals.length }
}

const LEVELS = [
  { level: 'basic', health_min: 0, health_max: 0.5, es: 'Básica', pt: 'Básica' },
  { level: 'standard', health_min: 0.5, health_max: 0.8, es: 'Satisfactoria', pt: 'Satisfatória' },
  { level: 'professional', health_min: 0.8, health_max: 1, es: 'Profesional', pt: 'Profissional' },
] as const
const levelOf = (share: number) => LEVELS.findLast(({ health_min }) => share >= health_min)!
const percent = (share: number) => Math.round(share * 100)
const statusOf = (share: number) => (share < 1 ? 'PENDING' : 'COMPLETED')

function performance(row: ItemRow) {
  const { goals, share } = goalsOf(row)
  const { level, ...wordings } = levelOf(share)
  const calculated_at = utcMillis(row.last_updated)
  const variables = goals.map((goal) => ({
    ...{ key: goal.key, status: statusOf(goal.share), score: percent(goal.share), title: goal.name, calculated_at },
    rules: [
      {
        ...{ key: `${goal.key}_COMPLETE`, status: statusOf(goal.share), progress: goal.share, mode: 'OPPORTUNITY' },
        ...{ calculated_at, wordings: { title: goal.name, label: goal.name } },
      },
    ],
  }))
  const language = languageOf(row.site_id)
  return {
    ...{ entity_type: 'ITEM', entity_id: row.id, score: percent(share), level, level_wording: wordings[language] },
    calculated_at,
    buckets: [
      {
        ...{ key: 'CHARACTERISTICS', type: 'PUBLICATION', status: statusOf(share), score: percent(share) },
        ...{ title: 'Características', calculated_at, variables },
      },
    ],
  }
}
const SAMPLE = {
  ...{ id: 'MLA1400000001', site_id: 'MLA', title: 'Parlante bluetooth negro', category_id: 'MLA7001' },
  ...{ last_updated: Date.UTC(2026, 2, 7, 15), details: JSON.stringify({ pictures: ['1-MLA'] }) },
} as ItemRow
const Performance = shape(performance(SAMPLE), { title: 'Performance', description: 'How complete a listing is' })

function health(row: ItemRow) {
  const { goals, share } = goalsOf(row)
  const found = goals.map(({ key, name, value, max }) => ({
    ...{ id: key.toLowerCase(), name, progress: value, progress_max: max, apply: true, completed: value === max },
    data: [],
  }))
  return { item_id: row.id, health: percent(share) / 100, level: levelOf(share).level, goals: found }
}
const OLDER = { title: 'Health', description: 'How complete a listing is, in the older form' }
const Health = shape(health(SAMPLE), OLDER)
function actions(row: ItemRow) {
  const { goals, ...one } = health(row)
  return { ...one, actions: goals.filter(({ completed }) => !completed).map(({ id, name }) => ({ id, name })) }
}
const HealthActions = shape(actions(SAMPLE), { title: 'HealthActions', description: 'What a listing lacks' })
const levels = () => LEVELS.map(({ level, health_min, health_max }) => ({ level, health_min, health_max }))
const HealthLevels: TSchema = Type.Array(
  shape({ level: 'basic', health_min: decimal(0), health_max: decimal(0.5) }, { title: 'HealthLevel' }),
)

/** The older paths are gone since February 2025: a world may say so, too. Throws 404. */
const open = <Subject>(of: About<Subject>): About<Subject> => ({
  ...of,
  checks: [HEALTH_OPEN, ...of.checks],
  find(request) {
    if (HEALTH_API.of(request.world) === 'gone') throw routeNotFound('catalogue.health')
    return of.find(request)
  },
})
const { health_open: HEALTH_OPEN } = defineChecks({
  health_open: [
    'catalogue.health',
    'The older paths of health are open in this world',
    'Las rutas antiguas de salud están abiertas en este mundo',
    'Os caminhos antigos de saúde estão abertos neste mundo',
  ],
})

const resource = { name: 'Performance', description: 'How complete listings are', id: 'item_id' }
const config = { resource, access: 'token' } as const

const performances: FastifyPluginAsync = async (app) => {
  addReads(app, config, OWN_ITEM, [
    ['/item/:item_id/performance', 'Read how complete a listing is', Performance, performance],
  ])
  addReads(app, config, open(OWN_ITEM), [
    ['/items/:item_id/health', 'Read how complete a listing is, in the older form', Health, health],
    ['/items/:item_id/health/actions', 'List what a listing lacks', HealthActions, actions],
  ])
  addReads(app, config, open(SITE), [['/sites/:site_id/health_levels', 'List the levels', HealthLevels, levels]])
}
export default performances
