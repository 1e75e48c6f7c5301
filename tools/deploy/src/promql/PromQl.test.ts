import { describe, expect, it } from 'vitest'
import { evaluate } from './Evaluate.ts'
import { milliseconds, parse, uses } from './Expression.ts'
import { parseAll, parseValues } from './Series.ts'

const at = (text: string, table: Readonly<Record<string, string>>, minute = 10) =>
  evaluate(parse(text), parseAll(table), minute * 60_000)

describe('Expression', () => {
  it('returns metrics with the labels that an expression names for them', () => {
    expect(uses(parse('sum by (job) (rate(a{b=~"c"}[5m])) / on (job) max by (job, x) (d) > 1'))).toEqual([
      { metric: 'a', labels: ['job', 'b'] },
      { metric: 'd', labels: ['job', 'x'] },
    ])
    expect(uses(parse('a unless on (chain) (b == 1)')).map(({ labels }) => labels)).toEqual([
      ['chain'],
      ['chain'],
    ])
  })

  it.each(['sum(', 'a{b}', 'a + ', 'sum without (a) (b)', 'a offset 5m', 'a > bool 1'])(
    'rejects %s',
    (text) => {
      expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'DEPLOY_PROMQL' }))
    },
  )

  it('reads durations', () => {
    expect(['5m', '1h30m', '250ms'].map(milliseconds)).toEqual([300_000, 5_400_000, 250])
    expect(() => milliseconds('5')).toThrow('expected a duration')
  })
})

// Expected values come from promtool 2.42, which evaluates the same expressions in the rehearsals of the alerts.
describe('evaluate', () => {
  it('reads series in the notation of promtool', () => {
    expect(parseValues('1+2x2 _ 5 _x2 3-1x1')).toEqual([1, 3, 5, undefined, 5, undefined, undefined, 3, 2])
    expect(() => parseValues('a')).toThrow('expected values')
  })

  it('rates counters over resets, and needs two values', () => {
    expect(at('rate(a[5m])', { a: '0+60x60' })).toEqual([{ labels: {}, value: 1 }])
    expect(at('increase(a[5m])', { a: '0+60x6 0+60x10' })).toMatchObject([{ value: expect.closeTo(240, 0) }])
    expect(at('rate(a[5m])', { a: '_x10 5' })).toEqual([])
  })

  it('uses the last value for five minutes', () => {
    expect(at('a', { a: '7 _x20' }, 5)).toMatchObject([{ value: 7 }])
    expect(at('a', { a: '7 _x20' }, 6)).toEqual([])
  })

  it('interpolates quantiles of histograms', () => {
    const table = { 'a{le="1"}': '50+0x20', 'a{le="2"}': '100+0x20', 'a{le="+Inf"}': '100+0x20' }
    expect(at('histogram_quantile(0.75, a)', table)).toEqual([{ labels: {}, value: 1.5 }])
  })

  it('matches, compares, and combines series', () => {
    const table = { 'a{x="1",y="2"}': '4+0x20', 'a{x="2",y="2"}': '1+0x20', 'b{x="1"}': '2+0x20' }
    expect(at('a > 2', table)).toMatchObject([{ labels: { x: '1' }, value: 4 }])
    expect(at('a / on (x) b', table)).toEqual([{ labels: { x: '1' }, value: 2 }])
    expect(at('a unless on (x) b', table)).toMatchObject([{ labels: { x: '2' } }])
    expect(at('sum by (y) (a)', table)).toEqual([{ labels: { y: '2' }, value: 5 }])
    expect(at('a{x!="1"} or b', table)).toHaveLength(2)
    expect(at('time() - 600', table)).toBe(0)
    expect(at('absent(c{job="x"})', table)).toEqual([{ labels: { job: 'x' }, value: 1 }])
  })
})
