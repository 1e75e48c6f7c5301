import { NodeId } from '@firn/codec'
import { methodError, type Upstream } from '@firn/node-api'
import { describe, expect, test, vi } from 'vitest'
import { createUpstreamView } from './UpstreamView.ts'

const [A, B, C, D] = [1, 2, 3, 4].map((byte) => new Uint8Array(20).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
  Uint8Array,
]
const entry = (nodeId: Uint8Array, more: object) => ({ nodeID: NodeId.format(nodeId), ...more })
const ANSWER = {
  validators: [
    entry(A, { uptime: '75.0000', connected: true }),
    entry(B, { uptime: '0.0000', connected: false }),
    entry(C, {}),
    entry(D, { uptime: 'high', connected: 'yes' }),
    { nodeID: 'NodeID-no', uptime: '1.0000', connected: true },
    null,
  ],
}

function setUp(answer: () => Promise<unknown> = async () => ANSWER, patienceMs = 60_000) {
  const clock = { now: 0 }
  const method = vi.fn<Upstream['method']>(answer)
  const log = { debug: vi.fn() }
  const view = createUpstreamView({ upstream: { method }, now: () => clock.now, log, patienceMs })
  const known = async () => {
    const current = await view()
    return [A, B, C, D].map((nodeId) => [current.uptime(nodeId), current.isConnected(nodeId)])
  }
  return { clock, method, log, view, known }
}

const NOTHING = [A, B, C, D].map(() => [undefined, undefined])
const KNOWN = [[0.75, true], [0, false], ...NOTHING.slice(2)]

describe('createUpstreamView', () => {
  test("returns the upstream's measurements, with undefined for missing or invalid values", async () => {
    const { method, known } = setUp()
    expect(await known()).toEqual(KNOWN)
    expect(method).toHaveBeenCalledExactlyOnceWith('/ext/bc/P', 'platform.getCurrentValidators', {})
  })

  test('shares one request among concurrent callers, and reuses a fresh answer', async () => {
    const { clock, method, known } = setUp()
    expect(await Promise.all([known(), known()])).toEqual([KNOWN, KNOWN])
    clock.now += 29_999
    expect(await known()).toEqual(KNOWN)
    expect(method).toHaveBeenCalledTimes(1)
  })

  test('returns a stale answer and refreshes it in the background', async () => {
    const answers = [Promise.resolve(ANSWER), new Promise(() => undefined)]
    const { clock, method, known } = setUp(() => answers.shift() ?? Promise.reject(new Error('a third call')))
    await known()
    clock.now += 30_000
    expect(await known()).toEqual(KNOWN)
    expect(await known()).toEqual(KNOWN)
    expect(method).toHaveBeenCalledTimes(2)
  })

  test('discards an answer that is older than 10 minutes', async () => {
    const state = { isDown: false }
    const { clock, known } = setUp(async () => {
      if (state.isDown) throw methodError('down')
      return ANSWER
    })
    await known()
    state.isDown = true
    clock.now += 600_000
    expect(await known()).toEqual(KNOWN)
    clock.now += 1
    expect(await known()).toEqual(NOTHING)
    state.isDown = false
    clock.now += 5_000
    expect(await known()).toEqual(KNOWN)
  })

  test('stops waiting after the timeout if the upstream does not answer', async () => {
    const { clock, method, known } = setUp(() => new Promise(() => undefined), 20)
    expect(await known()).toEqual(NOTHING)
    clock.now += 100_000
    expect(await known()).toEqual(NOTHING)
    expect(method).toHaveBeenCalledTimes(1)
  })

  test('ignores an answer with an unexpected shape', async () => {
    for (const answer of [null, 7, {}, { validators: {} }]) {
      const { known } = setUp(async () => answer)
      expect(await known()).toEqual(NOTHING)
    }
  })
})
