import { expect, test } from 'vitest'
import { resolveHost } from './resolveHost.ts'

test('a name that can’t be has no address', async () => {
  expect(await resolveHost('no such name', new AbortController().signal)).toEqual([])
})

test('an abort ends the search', async () => {
  const stop = new AbortController()
  const resolving = resolveHost('name.invalid', stop.signal)
  stop.abort()
  expect(await resolving).toEqual([])
})
