import { expect, it } from 'vitest'
import { createRepeats } from './Repeats.ts'

it('returns true for the third failure of each kind, once in ten minutes', () => {
  let now = 0
  const isDue = createRepeats(() => now, 3)
  const due = (message: string, times: number) =>
    Array.from({ length: times }, (_, i) =>
      isDue({ code: 'A', message: `${message} ${i} (eth_${'x'.repeat(i)})` }),
    )
  expect(due('no answer in', 5)).toEqual([false, false, true, false, false])
  expect(due('wrong height', 3)).toEqual([false, false, true])
  now = 600_001
  expect(due('no answer in', 3)).toEqual([false, false, true])
})

it('remembers a bounded number of kinds', () => {
  const isDue = createRepeats(() => 0, 1)
  for (let i = 0; i < 1_000; i++) expect(isDue({ code: `A${i}`, message: '' })).toBe(true)
  expect(isDue({ code: 'A999', message: '' })).toBe(false)
})
