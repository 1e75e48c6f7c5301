import { describe, expect, test } from 'vitest'
import { join } from './Tail.ts'

const blocks = (...names: readonly string[]) =>
  names.map((name) => ({ blockNumber: name.replace(/\D/g, ''), name }))
const names = (list: ReturnType<typeof join<{ blockNumber: string; name: string }>>) =>
  list?.map(({ name }) => name)

describe('join', () => {
  test('adds new blocks above known ones', () => {
    expect(names(join(blocks('12', '11'), blocks('11', '10', '9')))).toEqual(['12', '11', '10', '9'])
  })

  test('replaces blocks that a reorganisation removed', () => {
    expect(names(join(blocks('12b', '11b'), blocks('12a', '11a', '10')))).toEqual(['12b', '11b', '10'])
  })

  test('returns undefined if blocks between the lists are missing', () => {
    expect(join(blocks('12', '11'), blocks('9', '8'))).toBeUndefined()
  })

  test('accepts a chain that became shorter', () => {
    expect(names(join(blocks('10b', '9'), blocks('12', '11', '10', '9', '8')))).toEqual(['10b', '9', '8'])
  })
})
