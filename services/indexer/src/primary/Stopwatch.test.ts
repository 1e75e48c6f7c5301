import { systemClock } from '@firn/runtime'
import { expect, it } from 'vitest'
import * as Metrics from './Metrics.ts'
import { createStopwatch } from './Stopwatch.ts'

it('attributes each moment to one stage: busy, writing, or waiting for the source', async () => {
  let now = 0
  const metrics = Metrics.create()
  const stopwatch = createStopwatch({ ...systemClock, now: () => now }, metrics)
  const turn = () => new Promise((settle) => setImmediate(settle))
  const busy = (ms: number) =>
    stopwatch.during('apply', () => {
      now += ms
    })
  const waits = stopwatch.waiting('fetch', async () => {
    for (let i = 0; i < 6; i++) await turn()
  })
  now += 5
  busy(7)
  const write = stopwatch.writing(async () => {
    await turn()
    now += 11
    await turn()
    now += 13
  })
  busy(17)
  await write
  now += 3
  await waits
  const metric = await metrics.registry.getSingleMetric('firn_indexer_stage_seconds_total')?.get()
  const seconds = Object.fromEntries(
    (metric?.values ?? []).map(({ labels, value }) => [labels['stage'], value]),
  )
  expect(seconds['apply']).toBeCloseTo(0.024)
  expect(seconds['write']).toBeCloseTo(0.024)
  expect(seconds['fetch']).toBeCloseTo(0.008)
})
