import { StoreError, type StoreErrorCode } from '@firn/sql'
import { describe, expect, test } from 'vitest'
import * as ErrorBody from './ErrorBody.ts'

/** The status of each error of the database. 500 is a defect, so nothing that passes by itself has it. */
const STATUSES: Readonly<Record<StoreErrorCode, number>> = {
  STORE_UNAVAILABLE: 503,
  STORE_TIMEOUT: 503,
  STORE_READ_ONLY: 503,
  STORE_EMPTY: 503,
  STORE_SCHEMA: 503,
  STORE_HALTED: 503,
  STORE_UNINDEXED: 503,
  STORE_PRUNED: 410,
  STORE_CORRUPT: 500,
  STORE_QUERY: 500,
  STORE_FENCED: 500,
  STORE_CURSOR: 500,
  STORE_BLOCK: 500,
  STORE_IN_USE: 500,
  STORE_NETWORK: 500,
  STORE_UPGRADES: 500,
  STORE_C_CHAIN: 500,
  STORE_X_CHAIN: 500,
  STORE_NETWORKS: 500,
  STORE_SNAPSHOT: 500,
  STORE_CITUS: 500,
}

describe('the body of an error of the database', () => {
  test.each(Object.entries(STATUSES))('has for %s the status %i', (code, statusCode) => {
    const error = new StoreError(code as StoreErrorCode, 'at 10.0.0.1:5432', { details: { oldest: 7n } })
    expect(ErrorBody.of(error)).toMatchObject({ statusCode })
  })

  test('hides what only operators may know, and says why a chain is not served', () => {
    for (const code of ['STORE_UNAVAILABLE', 'STORE_TIMEOUT', 'STORE_QUERY', 'STORE_SCHEMA'] as const)
      expect(ErrorBody.of(new StoreError(code, 'at 10.0.0.1:5432')).message).not.toContain('10.0.0.1')
    const halted = new StoreError('STORE_HALTED', 'the chain of the nodes differs')
    expect(ErrorBody.of(halted).message).toBe('the chain of the nodes differs')
  })
})
