import type { OnFault } from '../../../http/errors/error_handler.ts'

/** Work in flight, each with the world that it belongs to. */
export interface Tasks {
  /** `onEnd` runs while the task still counts as in flight: waiting includes the tasks that it starts. */
  start(worldId: number, work: () => Promise<void>, onEnd: () => void): Promise<void>
  /** Resolves when no task of the world is in flight. */
  whenIdle(worldId: number): Promise<void>
  /** Resolves when the tasks that are in flight now have ended. */
  whenSettled(): Promise<unknown>
}

export function createTasks(onFault: OnFault): Tasks {
  const tasks = new Map<Promise<void>, number>()
  return {
    start(worldId, work, onEnd) {
      const task = work()
        .catch(onFault)
        .finally(() => {
          tasks.delete(task)
          onEnd()
        })
      tasks.set(task, worldId)
      return task
    },
    async whenIdle(worldId) {
      for (;;) {
        const pending = [...tasks].flatMap(([task, id]) => (id === worldId ? [task] : []))
        if (pending.length === 0) return
        await Promise.allSettled(pending)
      }
    },
    whenSettled: () => Promise.allSettled(tasks.keys()),
  }
}
