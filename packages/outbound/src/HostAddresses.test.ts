import { expect, test } from 'vitest'
import { resolve, resolveInside } from './HostAddresses.ts'

test('returns no address for an invalid name', async () => {
  expect(await resolve('no such name', new AbortController().signal)).toEqual([])
})

test('stops the lookup on abort', async () => {
  const stop = new AbortController()
  const resolving = resolve('name.invalid', stop.signal)
  stop.abort()
  expect(await resolving).toEqual([])
})

test("resolves internal names with the system's resolver", async () => {
  const found = await resolveInside('localhost')
  expect(found.filter((address) => address !== '127.0.0.1' && address !== '::1')).toEqual([])
  expect(found).not.toEqual([])
})
