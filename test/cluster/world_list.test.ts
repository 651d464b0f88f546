import t from 'tap'
import type { ListedWorld } from '../../cluster/storage/directory.ts'
import { WorldList } from '../../cluster/storage/world_list.ts'

t.test('an answer of the database that another one has overtaken is not used', async (t) => {
  const answers: ((worlds: ListedWorld[]) => void)[] = []
  const list = new WorldList({ worlds: () => new Promise((resolve) => void answers.push(resolve)) })
  const world = (id: number): ListedWorld => ({ id, record: null, bytes: 0, isFree: false })
  const refreshes = [list.refresh(), list.refresh(), list.refresh()]
  answers[1]!([world(1), world(2)])
  await refreshes[1]
  t.strictSame(list.ids(), [1, 2])
  answers[0]!([world(1)])
  await refreshes[0]
  t.strictSame(list.ids(), [1, 2], 'it was read before')
  answers[2]!([world(2)])
  await refreshes[2]
  t.strictSame(list.ids(), [2])
})
