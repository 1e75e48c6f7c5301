import { expect, test } from 'vitest'
import type { Peer } from '../Peer.ts'
import { createManualTimers } from '../Timers.ts'
import { Discovery } from './Discovery.ts'

const INTERVAL = 100
const ANSWER = 50

function setUp() {
  const timers = createManualTimers()
  const asked: boolean[] = []
  let questions = 0
  const peer = { send: () => ++questions } as unknown as Peer
  const discovery = new Discovery({
    timers,
    random: () => 0,
    peers: () => [peer],
    isNeeded: () => true,
    known: (afresh) => {
      asked.push(afresh)
      return { filter: new Uint8Array(10), salt: new Uint8Array() }
    },
    allSubnets: true,
    intervalMs: INTERVAL,
    answerMs: ANSWER,
  })
  discovery.wake()
  timers.advance(20)
  return { timers, discovery, peer, asked, questions: () => questions }
}

test('repeats a request with a new filter, after growing delays, if the last request returned no addresses', () => {
  const { timers, asked, questions } = setUp()
  expect(asked).toEqual([false])
  timers.advance(ANSWER + 2 * INTERVAL)
  expect(asked).toEqual([false, true])
  timers.advance(ANSWER + 2 * INTERVAL)
  expect(questions()).toBe(2)
  timers.advance(2 * INTERVAL)
  expect(questions()).toBe(3)
})

test('sends the next request at once with the same filter when an answer contains addresses', () => {
  const { timers, discovery, peer, asked } = setUp()
  discovery.onList(peer, 15)
  timers.advance(20)
  expect(asked).toEqual([false, false])
  discovery.stop()
})
