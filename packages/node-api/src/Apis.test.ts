import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import * as Apis from './Apis.ts'
import * as CallerLimits from './CallerLimits.ts'

const serve = async (isOperator: () => Promise<boolean>) => {
  const { promise, resolve } = Promise.withResolvers<'served' | number>()
  const response = { writeHead: (status: number) => resolve(status), end: () => undefined }
  Apis.operatorsOnly({ handle: () => resolve('served') }, isOperator).handle({
    request: { httpVersionMajor: 1, httpVersionMinor: 1, headers: {} } as unknown as IncomingMessage,
    response: response as unknown as ServerResponse,
    headers: [],
    bodies: { held: 0 },
    budget: CallerLimits.UNLIMITED,
  })
  return promise
}

test.each<[string, () => Promise<boolean>, 'served' | number]>([
  ['an operator', async () => true, 'served'],
  ['any other caller', async () => false, 404],
  ['a caller whose key cannot be read now', () => Promise.reject(new Error('no database')), 404],
])('responds to %s as an endpoint for operators only', async (_caller, isOperator, outcome) => {
  expect(await serve(isOperator)).toBe(outcome)
})
