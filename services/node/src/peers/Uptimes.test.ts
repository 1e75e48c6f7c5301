import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as Uptimes from './Uptimes.ts'

const A = new Uint8Array(20).fill(1)
const B = new Uint8Array(20).fill(2)
const START = 1_700_000_000_000

function create(kept?: readonly Uptimes.Measured[]) {
  const clock = { now: START }
  return { clock, uptimes: new Uptimes.Uptimes(() => clock.now, kept) }
}

describe('Uptimes', () => {
  test('measures the uptime of a node from the time at which it is first watched', () => {
    const { clock, uptimes } = create()
    expect(uptimes.of(A)).toBeUndefined()
    uptimes.onConnected(B)
    uptimes.watch([A], () => false)
    expect(uptimes.of(A)).toBe(1)
    clock.now += 1_000
    expect(uptimes.of(A)).toBe(0)
    uptimes.onConnected(A)
    clock.now += 3_000
    expect(uptimes.of(A)).toBe(0.75)
    uptimes.onDisconnected(A)
    clock.now += 4_000
    expect(uptimes.of(A)).toBe(3 / 8)
    expect(uptimes.of(B)).toBeUndefined()
  })

  test('continues the measurement of a node when other nodes are added, and drops removed nodes', () => {
    const { clock, uptimes } = create()
    uptimes.watch([A], () => true)
    clock.now += 1_000
    uptimes.watch([A, B], (nodeId) => nodeId === A)
    clock.now += 1_000
    expect([uptimes.of(A), uptimes.of(B)]).toEqual([1, 0])
    uptimes.watch([B], () => false)
    expect([uptimes.of(A), uptimes.of(B)]).toEqual([undefined, 0])
    uptimes.watch([A, B], () => false)
    clock.now += 1_000
    expect([uptimes.of(A), uptimes.of(B)]).toEqual([0, 0])
  })

  test('continues stored measurements, and counts the time between two runs as uptime', () => {
    const first = create()
    first.uptimes.watch([A], () => false)
    first.clock.now += 1_000
    const kept = Uptimes.parse(Uptimes.format(first.uptimes.measured()))
    const second = create(kept)
    second.clock.now += 4_000
    second.uptimes.watch([A], () => true)
    expect(second.uptimes.of(A)).toBe(0.75)
  })

  test('does not reduce the measured downtime when the clock is set back', () => {
    const { clock, uptimes } = create()
    uptimes.watch([A], () => false)
    clock.now -= 5_000
    expect(uptimes.measured()).toEqual([{ nodeId: A, since: START, down: 0 }])
    uptimes.onConnected(A)
    expect(Uptimes.parse(Uptimes.format(uptimes.measured()))).toBeDefined()
  })

  test('returns a value from 0 to 1 for any change of the clock, and matches a simple reference calculation', () => {
    const step = fc.record({ ms: fc.integer({ min: 0, max: 1_000 }), isUp: fc.boolean() })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), fc.integer({ min: -500, max: 0 }), (steps, back) => {
        const { clock, uptimes } = create()
        uptimes.watch([A], () => false)
        let [isUp, up, all] = [false, 0, 0]
        for (const { ms, isUp: next } of steps) {
          clock.now += ms
          all += ms
          if (isUp) up += ms
          isUp = next
          if (next) uptimes.onConnected(A)
          else uptimes.onDisconnected(A)
        }
        expect(uptimes.of(A)).toBeCloseTo(all === 0 ? 1 : up / all)
        clock.now += back
        const seen = uptimes.of(A) as number
        expect(seen >= 0 && seen <= 1).toBe(true)
      }),
    )
  })
})

test.each([
  '',
  'null',
  '[1]',
  '{"NodeID-x":{"since":1,"down":0}}',
  '{"NodeID-111111111111111111116DBWJs":{"since":1}}',
  '{"NodeID-111111111111111111116DBWJs":{"since":0,"down":0}}',
  '{"NodeID-111111111111111111116DBWJs":{"since":1,"down":-1}}',
])('rejects %s as stored uptimes', (text) => expect(Uptimes.parse(text)).toBeUndefined())
