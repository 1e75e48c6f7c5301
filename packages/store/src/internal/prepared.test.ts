import { describe, expect, test } from 'vitest'
import { createNames } from './prepared.ts'

describe('names of statements', () => {
  test('come with the second time, and stay', () => {
    const nameOf = createNames()
    expect(['a', 'b', 'a', 'a', 'b', 'b'].map(nameOf)).toEqual([
      undefined,
      undefined,
      'firn_0',
      'firn_0',
      'firn_1',
      'firn_1',
    ])
  })

  test('come to an end, at which those that have one keep it', () => {
    const nameOf = createNames()
    const texts = Array.from({ length: 1_000 }, (_, i) => String(i))
    for (const text of texts) nameOf(text) ?? nameOf(text)
    const names = texts.map(nameOf).filter((name) => name !== undefined)
    expect(new Set(names).size).toBe(256)
    expect(nameOf('0')).toBe('firn_0')
    expect(nameOf('999')).toBeUndefined()
  })

  test('come although others are told in great number, each once', () => {
    const nameOf = createNames()
    for (let i = 0; i < 10_000; i++) nameOf(`other ${i}`)
    nameOf('a')
    expect(nameOf('a')).toBe('firn_0')
  })
})
