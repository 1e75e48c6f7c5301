import { StoreError } from '@firn/sql'
import type { Store } from '@firn/store'
import { expect, it } from 'vitest'
import { createEvm } from '../testing/serveEvm.ts'
import { healthEndpoints } from './health.ts'

it.each([
  ['STORE_UNAVAILABLE', 503, 'primaryNetwork: the database does not respond; try again later'],
  ['STORE_EMPTY', 503, 'primaryNetwork: no block is indexed yet; try again later'],
  ['STORE_QUERY', 500, 'internal error; look for the request id in the service log'],
] as const)('tells the cause of %s', async (code, status, message) => {
  const snapshot = () => Promise.reject(new StoreError(code, 'the cause'))
  const server = await createEvm(healthEndpoints({ store: { snapshot } as unknown as Store, chains: [] }))
  const response = await server.inject('/v1/health-check')
  expect([response.statusCode, response.json().message]).toEqual([status, message])
  await server.close()
})
