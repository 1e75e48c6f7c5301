import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as Lanes from './Lanes.ts'

const UNLIMITED: Lanes.Limits = { perLane: 1_000, perNode: 1_000, inAll: 1_000, unsentBytes: 1_000_000 }

/** A request of the model, in the order of its start. */
interface Asked {
  readonly lane: number
  readonly node: string
  readonly bytes: number
  readonly ticket: Lanes.Ticket
  slot?: Lanes.Slot
  isSent: boolean
  isGone: boolean
}

/** Scheduler together with a model of what its lanes have asked for and what has started. */
function model(limits: Lanes.Limits, laneCount: number) {
  const lanes = Lanes.create(limits)
  const open = Array.from({ length: laneCount }, () => lanes.open())
  const asked: Asked[] = []
  const isWaiting = ({ slot, isGone }: Asked) => slot === undefined && !isGone
  const isInFlight = ({ slot, isGone }: Asked) => slot !== undefined && !isGone
  const held = (lane: number) => asked.filter((one) => one.lane === lane && isInFlight(one)).length
  const atNode = (node: string) => asked.filter((one) => one.node === node && isInFlight(one)).length
  const unsent = () => asked.reduce((sum, one) => sum + (isInFlight(one) && !one.isSent ? one.bytes : 0), 0)
  return {
    lanes,
    asked,
    isWaiting,
    isInFlight,
    held,
    atNode,
    unsent,
    enter(lane: number, node: string, bytes = 1, onStart = () => {}) {
      const one = { lane, node, bytes, isSent: false, isGone: false } as {
        -readonly [K in keyof Asked]: Asked[K]
      }
      asked.push(one)
      const start = (slot: Lanes.Slot) => {
        onStart()
        one.slot = slot
      }
      one.ticket = (open[lane] as Lanes.Lane).enter({ node, bytes, start })
      return one
    },
    close(lane: number) {
      for (const one of asked) if (one.lane === lane) one.isGone = true
      open[lane]?.close()
    },
  }
}

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('enter' as const),
      lane: fc.nat(4),
      node: fc.nat(5).map(String),
      bytes: fc.nat(40),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sent' as const), which: fc.nat() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), lane: fc.nat(4) }) },
)

const limits = fc.record({
  perLane: fc.integer({ min: 1, max: 8 }),
  perNode: fc.integer({ min: 1, max: 4 }),
  inAll: fc.integer({ min: 1, max: 12 }),
  unsentBytes: fc.integer({ min: 1, max: 100 }),
})

describe('Lanes', () => {
  it('keeps all limits, starts every request that they allow, and forgets closed lanes', () => {
    fc.assert(
      fc.property(limits, fc.array(action, { maxLength: 80 }), (limits, actions) => {
        const { lanes, asked, isWaiting, isInFlight, held, atNode, unsent, enter, close } = model(limits, 5)
        const closed = new Set<number>()
        const pick = (which: number) => {
          const all = asked.filter(isInFlight)
          return all[which % all.length]
        }
        for (const one of actions) {
          if (one.kind === 'enter') {
            const entered = enter(one.lane, one.node, one.bytes)
            entered.isGone ||= closed.has(one.lane)
          } else if (one.kind === 'close') {
            closed.add(one.lane)
            close(one.lane)
          } else {
            const picked = pick(one.which)
            if (picked === undefined) continue
            if (one.kind === 'sent') picked.isSent = true
            else picked.isGone = true
            if (one.kind === 'sent') picked.slot?.markSent()
            else picked.slot?.leave()
          }
          const inFlight = asked.filter(isInFlight)
          expect([lanes.inFlight, lanes.queued]).toEqual([inFlight.length, asked.filter(isWaiting).length])
          expect(inFlight.length).toBeLessThanOrEqual(limits.inAll)
          // One request may exceed the limit of unsent bytes, because any message must be possible.
          const largest = Math.max(0, ...inFlight.map(({ bytes }) => bytes))
          expect(unsent()).toBeLessThan(limits.unsentBytes + Math.max(1, largest))
          for (const { lane, node } of inFlight) {
            expect(held(lane)).toBeLessThanOrEqual(limits.perLane)
            expect(atNode(node)).toBeLessThanOrEqual(limits.perNode)
          }
          for (const waiting of asked.filter(isWaiting)) {
            const isNodeFull = atNode(waiting.node) === limits.perNode
            expect(waiting.ticket.isBehindNode).toBe(isNodeFull)
            const isAllowed =
              !isNodeFull &&
              held(waiting.lane) < Math.min(limits.perLane, (limits.inAll - inFlight.length) / 4) &&
              unsent() < limits.unsentBytes
            expect(isAllowed, 'a request waits although the limits allow it').toBe(false)
          }
        }
      }),
    )
  })

  it('never starts a request of a lane that has more in flight than another waiting lane', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 80 }), (actions) => {
        const { asked, isWaiting, isInFlight, held, enter } = model({ ...UNLIMITED, inAll: 8 }, 5)
        for (const one of actions) {
          if (one.kind === 'enter') {
            const onStart = () => {
              for (const waiting of asked.filter(isWaiting)) {
                expect(held(waiting.lane)).toBeGreaterThanOrEqual(held(one.lane))
              }
            }
            enter(one.lane, one.node, 1, onStart)
          } else if (one.kind === 'leave') {
            const all = asked.filter(isInFlight)
            const left = all[one.which % all.length]
            if (left === undefined) continue
            left.isGone = true
            left.slot?.leave()
          }
        }
      }),
    )
  })

  it('leaves slots to new lanes when no request of other lanes is answered', () => {
    const { enter, held } = model({ ...UNLIMITED, inAll: 1_000 }, 10)
    for (let lane = 0; lane < 10; lane++) {
      for (let node = 0; node < 500; node++) enter(lane, `${lane} ${node}`)
      expect(held(lane)).toBeGreaterThan(20)
    }
    expect(held(0)).toBe(200)
  })

  it('lets lanes take turns', () => {
    const { enter } = model({ ...UNLIMITED, inAll: 1 }, 3)
    const order: number[] = []
    const all = [0, 1, 1, 1, 2, 2, 2].map((lane) => enter(lane, 'node', 1, () => void order.push(lane)))
    for (const _ of all) for (const { slot } of all) slot?.leave()
    expect(order).toEqual([0, 1, 2, 1, 2, 1, 2])
  })

  it('lets other requests of a lane pass those whose node is full', () => {
    const { enter, lanes } = model({ ...UNLIMITED, perNode: 1 }, 2)
    enter(0, 'busy')
    const behind = enter(1, 'busy')
    const other = enter(1, 'idle')
    expect([behind.slot, behind.ticket.isBehindNode, other.slot !== undefined]).toEqual([
      undefined,
      true,
      true,
    ])
    expect([lanes.inFlight, lanes.queued]).toEqual([2, 1])
  })

  it('frees slots and queues at once when a lane closes', () => {
    const { enter, close, lanes } = model({ ...UNLIMITED, perNode: 1, inAll: 40 }, 2)
    const first = enter(0, 'a')
    enter(0, 'b')
    const waiting = enter(1, 'a')
    enter(0, 'a')
    close(0)
    expect([waiting.slot !== undefined, lanes.inFlight, lanes.queued]).toEqual([true, 1, 0])
    first.slot?.leave()
    expect(lanes.inFlight).toBe(1)
    enter(0, 'c')
    expect([lanes.inFlight, lanes.queued]).toEqual([1, 0])
  })
})
