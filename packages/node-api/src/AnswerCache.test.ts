import { type MethodTable, Schema } from '@firn/rpc'
import { describe, expect, test } from 'vitest'
import { createAnswerCache } from './AnswerCache.ts'
import { createService } from './Service.ts'

const none = Schema.struct({})
const counted = Schema.struct({ n: Schema.u64 })
const Methods = {
  'a.forever': { params: none, result: counted },
  'a.snapshot': { params: none, result: counted },
  'a.second': { params: none, result: counted },
  'a.volatile': { params: none, result: counted },
  'a.unnamed': { params: none, result: counted },
} satisfies MethodTable

function setUp({ maxBytes = 100_000 } = {}) {
  let key = '1.1.1'
  let now = 1_500
  let isDown = false
  let calls = 0
  let during = () => {}
  const count = () => {
    calls += 1
    during()
    return { n: BigInt(calls) }
  }
  const snapshot = async () => {
    if (isDown) throw new RangeError('no database')
    return { key }
  }
  const cache = createAnswerCache({ maxBytes, snapshot, now: () => now })
  const freshness = {
    'a.forever': 'forever',
    'a.snapshot': 'snapshot',
    'a.second': 'second',
    'a.volatile': 'volatile',
  } as const
  const handlers = {
    ...{ 'a.forever': count, 'a.snapshot': count, 'a.second': count },
    ...{ 'a.volatile': count, 'a.unnamed': count },
  }
  const services = ['one', 'two'].map((name) =>
    createService(Methods, handlers, { memory: cache.of(name, freshness) }),
  )
  const ask = async (method: string, service = 0, id = 1) => {
    const body = new TextEncoder().encode(`{"jsonrpc":"2.0","id":${id},"method":"a.${method}"}`)
    const answer = await services[service]?.handle(body)
    return Number(JSON.parse(answer?.body ?? '').result.n)
  }
  return {
    ask,
    cache,
    move: (to: string) => {
      key = to
    },
    takeDown: () => {
      isDown = true
    },
    wait: (ms: number) => {
      now += ms
    },
    onCall: (listener: () => void) => {
      during = listener
    },
  }
}

describe('AnswerCache', () => {
  test('keeps immutable results forever', async () => {
    const { ask, move } = setUp()
    expect(await ask('forever')).toBe(1)
    move('2.1.1')
    expect(await ask('forever')).toBe(1)
  })

  test('keeps snapshot results until the snapshot changes', async () => {
    const { ask, move } = setUp()
    expect([await ask('snapshot'), await ask('snapshot')]).toEqual([1, 1])
    move('1.1.2')
    expect([await ask('snapshot'), await ask('snapshot')]).toEqual([2, 2])
  })

  test('keeps clock-dependent results until the next second', async () => {
    const { ask, move, wait } = setUp()
    expect([await ask('second'), await ask('second')]).toEqual([1, 1])
    wait(499)
    expect(await ask('second')).toBe(1)
    wait(1)
    expect([await ask('second'), await ask('second')]).toEqual([2, 2])
    move('2.1.1')
    expect(await ask('second')).toBe(3)
  })

  test.each(['volatile', 'unnamed'])('never caches results of the %s method', async (method) => {
    const { ask } = setUp()
    expect([await ask(method), await ask(method)]).toEqual([1, 2])
  })

  test('caches the results of each service separately', async () => {
    const { ask } = setUp()
    expect([await ask('forever', 0), await ask('forever', 1), await ask('forever', 0)]).toEqual([1, 2, 1])
  })

  test('drops cached results when aliases change, including results that are still being computed', async () => {
    const { ask, cache, onCall } = setUp()
    await ask('forever')
    cache.clear()
    onCall(() => cache.clear())
    expect(await ask('forever')).toBe(2)
    expect(await ask('forever')).toBe(3)
  })

  test('stores a result under the earlier snapshot if the snapshot changes during the computation', async () => {
    const { ask, move, onCall } = setUp()
    onCall(() => move('2.1.1'))
    expect(await ask('snapshot')).toBe(1)
    expect(await ask('snapshot')).toBe(2)
  })
})

test('caches only immutable results if the snapshot cannot be read, and still runs the method', async () => {
  const { ask, takeDown } = setUp()
  await ask('forever')
  await ask('snapshot')
  takeDown()
  expect([await ask('snapshot'), await ask('snapshot'), await ask('second')]).toEqual([3, 4, 5])
  expect(await ask('forever')).toBe(1)
})

test('evicts the oldest results when the cache is full, and does not store a result that is too large', async () => {
  const { ask, cache } = setUp({ maxBytes: 2_500 })
  await ask('forever')
  for (let id = 0; id < 100; id += 1) await ask('snapshot', 0, id)
  expect(cache.statistics()).toMatchObject({ entries: 2, hits: 99 })
  const small = setUp({ maxBytes: 1_000 })
  await small.ask('forever')
  expect(small.cache.statistics()).toMatchObject({ entries: 0, bytes: 0 })
})
