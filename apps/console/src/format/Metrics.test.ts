import { describe, expect, test } from 'vitest'
import { choiceOf } from './Metrics.ts'

describe('choiceOf', () => {
  test('reads the choice of an address', () => {
    const query = { metric: 'feesPaid', interval: 'hour', range: 'week' }
    expect(choiceOf(query)).toEqual(query)
  })

  test('has defaults for values that do not exist, also for names of object members', () => {
    const query = { metric: 'toString', interval: 'constructor', range: 'none' }
    expect(choiceOf(query)).toEqual({ metric: 'txCount', interval: 'day', range: 'month' })
  })

  test('uses days for metrics that have no other interval', () => {
    expect(choiceOf({ metric: 'avgTps', interval: 'hour' }).interval).toBe('day')
  })
})
