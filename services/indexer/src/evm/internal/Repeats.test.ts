import { expect, it } from 'vitest'
import { createRepeats } from './Repeats.ts'

it('returns true for the third event of each kind, once in ten minutes', () => {
  let now = 0
  const isDue = createRepeats(() => now, 3)
  const due = (kind: string, times: number) => Array.from({ length: times }, () => isDue(kind))
  expect(due('timeout', 5)).toEqual([false, false, true, false, false])
  expect(due('other', 3)).toEqual([false, false, true])
  now = 600_001
  expect(due('timeout', 3)).toEqual([false, false, true])
})
