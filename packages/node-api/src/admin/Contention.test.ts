import { expect, test } from 'vitest'
import { formatMutexProfile, loopWaits } from './Contention.ts'

const MS = 1_000_000

test('measures an event loop delay as the time beyond the sampling interval', () => {
  const percentiles = new Map([
    [0, 20 * MS],
    [50, 20.4 * MS],
    [75, 24 * MS],
    [87.5, 24.2 * MS],
    [100, 120 * MS],
  ])
  expect(loopWaits({ count: 8, percentiles })).toEqual([
    { cause: 'event loop, 4 ms each', count: 3, nanoseconds: (2 * 4 + 4.2) * MS },
    { cause: 'event loop, 100 ms each', count: 1, nanoseconds: 100 * MS },
  ])
  expect(loopWaits({ count: 0, percentiles: new Map([[100, 0]]) })).toEqual([])
})

test('writes a mutex profile with a line of values and a line of text for each cause', () => {
  const waits = [
    { cause: 'a', count: 3, nanoseconds: 12 },
    { cause: 'b', count: 1, nanoseconds: 5 },
  ]
  expect(formatMutexProfile(waits)).toBe(
    '--- mutex:\ncycles/second=1000000000\nsampling period=1\n12 3 @ 0x1\n#\t0x1\ta\n\n5 1 @ 0x2\n#\t0x2\tb\n\n',
  )
  expect(formatMutexProfile([])).toBe('--- mutex:\ncycles/second=1000000000\nsampling period=1\n')
})
