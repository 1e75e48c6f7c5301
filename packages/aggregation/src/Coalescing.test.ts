import { expect, it } from 'vitest'
import * as Coalescing from './Coalescing.ts'

it('joins work in progress, and starts anew once that is closed or left', () => {
  const table = Coalescing.create<{ closed: boolean }>()
  const start = () => ({ closed: false })
  const first = table.join('a', start)
  expect(table.join('a', start)).toBe(first)
  expect(table.join('b', start)).not.toBe(first)
  first.closed = true
  const second = table.join('a', start)
  expect(second).not.toBe(first)
  // The end of the first must not allow a third one beside the second.
  table.leave('a', first)
  expect(table.join('a', start)).toBe(second)
  table.leave('a', second)
  expect(table.size).toBe(1)
})
