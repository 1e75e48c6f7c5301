import { expect, it, vi } from 'vitest'
import { until } from './until.ts'

it('returns the first result that is no error', async () => {
  let calls = 0
  const third = () => {
    calls += 1
    if (calls < 3) throw new RangeError(`call ${calls}`)
    return calls
  }
  expect(await until(third)).toBe(3)
})

it('throws the last error when the run of the tests ends', async () => {
  vi.stubEnv('FIRN_WAIT_MS', '-1')
  await expect(until(() => Promise.reject(new RangeError('still down')))).rejects.toThrow('still down')
  vi.unstubAllEnvs()
})
