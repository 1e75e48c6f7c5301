import { expect, test } from 'vitest'
import { serializeError } from './ServiceLogger.ts'

test('writes each message of nested errors once', () => {
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:9650')
  const unreachable = new Error(`cannot reach 127.0.0.1: ${refused.message}`, { cause: refused })
  const failed = new Error(unreachable.message, { cause: unreachable })
  expect(serializeError(failed)).toMatchObject({ type: 'Error', message: unreachable.message })
  const outer = new Error('the upstream is unavailable', { cause: failed })
  expect(serializeError(outer)).toMatchObject({
    message: 'the upstream is unavailable: cannot reach 127.0.0.1: connect ECONNREFUSED 127.0.0.1:9650',
  })
  expect(serializeError('text')).toBe('text')
})
