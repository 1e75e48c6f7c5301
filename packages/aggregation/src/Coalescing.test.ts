import { expect, it } from 'vitest'
import * as Coalescing from './Coalescing.ts'

it('joins work in progress, and starts new work after the work in progress was closed or removed', () => {
  const table = Coalescing.create<{ closed: boolean }>()
  const start = () => ({ closed: false })
  const first = table.join('a', start)
  expect(table.join('a', start)).toBe(first)
  expect(table.join('b', start)).not.toBe(first)
  first.closed = true
  const second = table.join('a', start)
  expect(second).not.toBe(first)
  // The end of the first work must not remove the second work, which is still in progress.
  table.leave('a', first)
  expect(table.join('a', start)).toBe(second)
  table.leave('a', second)
  expect(table.size).toBe(1)
})
