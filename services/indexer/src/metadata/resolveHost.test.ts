import { expect, test } from 'vitest'
import { resolveHost, resolveInside } from './resolveHost.ts'

test('an invalid name has no address', async () => {
  expect(await resolveHost('no such name', new AbortController().signal)).toEqual([])
})

test('an abort ends the lookup', async () => {
  const stop = new AbortController()
  const resolving = resolveHost('name.invalid', stop.signal)
  stop.abort()
  expect(await resolving).toEqual([])
})

test('internal names are resolved by the system', async () => {
  const found = await resolveInside('localhost')
  expect(found.filter((address) => address !== '127.0.0.1' && address !== '::1')).toEqual([])
  expect(found).not.toEqual([])
})
