import { describe, expect, it } from 'vitest'
import * as Contest from './Contest.ts'
import * as RoundTrip from './RoundTrip.ts'
import * as Table from './Table.ts'

describe('Contest', () => {
  it('returns a result for each contender, with time ratios relative to the first contender', async () => {
    const spin = (n: number) => () => {
      let x = 0
      for (let i = 0; i < n; i++) x = (x * 31 + i) | 0
      return x
    }
    const results = await Contest.run({ ours: spin(200_000), peer: async () => spin(200_000)() })
    expect(results.map(({ name }) => name)).toEqual(['ours', 'peer'])
    expect(results[0]?.ratio).toBe(1)
    for (const { wall, cpu } of results) expect(Math.min(wall, cpu)).toBeGreaterThan(0)
  })

  it("rethrows a contender's error", async () => {
    await expect(Contest.run({ ours: () => Promise.reject(new RangeError('wrong')) })).rejects.toThrow(
      'wrong',
    )
  })
})

describe('RoundTrip', () => {
  const inputs = [Uint8Array.of(1, 2), Uint8Array.of(3)]
  const copy = { decode: (bytes: Uint8Array) => bytes.slice(), encode: (value: Uint8Array) => value.slice() }

  it('creates one benchmark for decoding and one for encoding, with all engines', () => {
    const contests = RoundTrip.contests('bytes', { inputs, engines: { ours: copy, peer: copy } })
    expect(Object.keys(contests)).toEqual(['decode bytes', 'encode bytes'])
    for (const contenders of Object.values(contests))
      expect(Object.keys(contenders)).toEqual(['ours', 'peer'])
  })

  it('rejects an engine that does not encode decoded input back to the same bytes', () => {
    const engines = { ours: { ...copy, encode: () => Uint8Array.of(1, 2) } }
    expect(() => RoundTrip.contests('bytes', { inputs, engines })).toThrow('ours, bytes: 1')
  })
})

describe('Table', () => {
  it.each([
    [0.0000005, '1 ns'],
    [0.0015, '1.50 µs'],
    [12.345, '12.35 ms'],
    [1500, '1.50 s'],
  ])('formats %d ms as %s', (milliseconds, text) => {
    expect(Table.formatTime(milliseconds)).toBe(text)
  })

  it('aligns the columns', () => {
    expect(
      Table.format(
        ['', 'a'],
        [
          ['long name', '1'],
          ['b', '22'],
        ],
      ),
    ).toBe('            a\nlong name   1\nb          22')
  })
})
