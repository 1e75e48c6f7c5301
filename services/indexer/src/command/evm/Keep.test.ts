import { describe, expect, it } from 'vitest'
import * as Keep from './Keep.ts'

const DAY = 86_400n
const parse = (text: string) => Keep.TYPE.parse(text)

describe('--keep', () => {
  it('reads periods of kinds, for all chains and for one', () => {
    const keep = parse('metrics=forever,traces=90d, logs=2w,43114:logs=12h,43114:traces=forever') ?? []
    expect(Keep.retentionOf(keep, 1n, true)).toEqual({
      metrics: undefined,
      traces: 90n * DAY,
      logs: 14n * DAY,
    })
    expect(Keep.retentionOf(keep, 43_114n, true)).toEqual({
      metrics: undefined,
      traces: undefined,
      logs: DAY / 2n,
    })
    expect(Keep.TYPE.format(keep)).toBe(
      'metrics=forever,traces=2160h,logs=336h,43114:logs=12h,43114:traces=forever',
    )
    expect(Keep.retentionOf(Keep.TYPE.combine?.(keep, parse('logs=1y') ?? []) ?? [], 1n, true)).toMatchObject(
      {
        logs: 365n * DAY,
      },
    )
  })

  it.each([
    '',
    'logs',
    'logs=',
    'logs=0d',
    'logs=30',
    'logs=1m',
    'trace=1d',
    'toString=1d',
    'x:logs=1d',
    'logs=-1d',
  ])('rejects %o', (text) => expect(parse(text) ?? []).toEqual([]))

  it('rejects transactions that are kept for a shorter time than data that refers to them', () => {
    const retentionOf = (text: string) => Keep.retentionOf(parse(text) ?? [], 1n, true)
    const others = 'logs=1w,traces=7d,transfers=7d'
    expect(() => retentionOf(`transactions=7d,${others}`)).toThrow('as long as events')
    expect(() => retentionOf(`transactions=7d,events=8d,${others}`)).toThrow('as long as events')
    expect(retentionOf(`transactions=7d,events=7d,${others}`)).toMatchObject({ transactions: 7n * DAY })
  })

  it('needs no period for events if none are decoded', () => {
    const retentionOf = (text: string) => Keep.retentionOf(parse(text) ?? [], 1n, false)
    const others = 'logs=1w,traces=7d,transfers=7d'
    expect(retentionOf(`transactions=7d,${others}`)).not.toHaveProperty('events')
    expect(() => retentionOf(`transactions=7d,events=8d,${others}`)).toThrow('as long as events')
  })

  it('rejects headers that are kept for a shorter time than data that refers to them', () => {
    const retentionOf = (text: string) => Keep.retentionOf(parse(text) ?? [], 1n, true)
    const others = 'logs=1w,traces=7d,transfers=7d,events=7d'
    expect(() => retentionOf(`blocks=7d,${others}`)).toThrow('as long as transactions')
    expect(retentionOf(`blocks=7d,transactions=7d,${others}`)).toMatchObject({ blocks: 7n * DAY })
  })

  it('rejects a period for data that is always kept', () => {
    expect(() => parse('state=90d')).toThrow('always kept')
  })
})
