import type { PruneOptions } from '@firn/evm-store'
import { silentLogger, systemClock } from '@firn/runtime'
import { StoreError } from '@firn/sql'
import { expect, it } from 'vitest'
import { pruneContinuously } from './Pruner.ts'

it('removes all old data once a minute, and tries again after an error', async () => {
  const stop = new AbortController()
  const done: unknown[] = []
  const answers = [true, true, false, new StoreError('STORE_QUERY', 'locked'), true, false]
  const clock = {
    ...systemClock,
    sleep: async (ms: number) => {
      done.push(ms >= 60_000 ? 'a minute' : 'a pause')
      if (answers.length === 0) stop.abort()
    },
  }
  const writer = {
    async prune({ keep }: PruneOptions) {
      const answer = answers.shift()
      done.push(keep.logs)
      if (answer instanceof Error) throw answer
      return answer === true
    },
  }
  const onPruned = async () => void done.push('measured')
  const options = {
    writer,
    keep: { logs: 5n },
    depth: 9n,
    onPruned,
    clock,
    random: () => 0.5,
    log: silentLogger,
  }
  await pruneContinuously(options, stop.signal)
  expect(done).toEqual([5n, 5n, 5n, 'measured', 'a minute', 5n, 'a pause', 5n, 5n, 'measured', 'a minute'])
})
