import { IpAddress } from '@firn/http'
import { describe, expect, test } from 'vitest'
import * as Caller from '../endpoint/Caller.ts'
import { createOpenStreams, type OpenStreams } from './OpenStreams.ts'

const units = { unitsPerMinute: 1, unitsPerDay: 1 }
const allowances = { anonymous: { ...units, streams: 20 }, keyed: { ...units, streams: 100 } }
const from = (address: string) => Caller.ofAddress(IpAddress.parse(address), allowances)

/** Opens streams from an address, and returns the listeners of those that were accepted. */
function openMany(streams: OpenStreams, address: string, count: number) {
  const listeners: AbortController[] = []
  let reason = ''
  for (let i = 0; i < count; i++) {
    const listener = new AbortController()
    try {
      streams.open('/changes', from(address), listener)
      listeners.push(listener)
    } catch (error) {
      reason = (error as Error).message
    }
  }
  return { listeners, reason, open: () => listeners.filter(({ signal }) => !signal.aborted).length }
}

describe('open streams', () => {
  test('are limited for each address', () => {
    const streams = createOpenStreams()
    const { listeners, reason } = openMany(streams, '10.0.0.1', 1_000)
    expect(listeners).toHaveLength(20)
    expect(reason).toBe(
      'you have 20 open streams at this process, and may have 20; close one first, or use an API key, or ask for less',
    )
    expect(openMany(streams, '10.0.0.2', 1).listeners).toHaveLength(1)
  })

  test('are limited for all networks of a /48 together', () => {
    const streams = createOpenStreams()
    let open = 0
    for (let network = 0; network < 500; network++)
      open += openMany(streams, `2001:db8:1:${network.toString(16)}::1`, 2).listeners.length
    expect(open).toBe(16 * 20)
  })

  test('can be opened again after they were closed, once', () => {
    const streams = createOpenStreams()
    const ends = Array.from({ length: 20 }, () =>
      streams.open('/changes', from('10.0.0.1'), new AbortController()),
    )
    ends[0]?.()
    ends[0]?.()
    expect(openMany(streams, '10.0.0.1', 20).listeners).toHaveLength(1)
  })

  test('move from the caller with the most to newcomers while all places are taken', () => {
    const streams = createOpenStreams(100)
    const greedy = Array.from({ length: 10 }, (_, i) => openMany(streams, `10.0.0.${i}`, 10))
    const newcomers = Array.from({ length: 10 }, (_, i) => openMany(streams, `10.9.0.${i}`, 10))
    const open = [...greedy, ...newcomers].map((one) => one.open())
    expect([open.reduce((sum, one) => sum + one), Math.min(...open) >= 4]).toEqual([100, true])
    const ended = greedy.flatMap(({ listeners }) => listeners).find(({ signal }) => signal.aborted)
    expect(ended?.signal.reason).toMatchObject({ code: 'DATA_UNAVAILABLE' })
  })

  test('are taken from a /48 with many networks first', () => {
    const streams = createOpenStreams(100)
    const site = Array.from({ length: 90 }, (_, i) => openMany(streams, `2001:db8:1:${i.toString(16)}::1`, 1))
    const other = openMany(streams, '10.0.0.1', 10)
    const newcomer = openMany(streams, '10.0.0.2', 10)
    expect([newcomer.open(), other.open()]).toEqual([10, 10])
    expect(site.filter(({ open }) => open() === 1)).toHaveLength(80)
  })

  test('are refused if all places are taken by others with as few', () => {
    const streams = createOpenStreams(3)
    for (let i = 0; i < 3; i++) openMany(streams, `10.0.0.${i}`, 1)
    const { listeners, reason } = openMany(streams, '10.0.0.9', 1)
    expect([listeners, reason]).toEqual([[], 'too many event listeners (3); try again later'])
  })

  test('have no limit by caller without rate limits, and never take places from each other', () => {
    const streams = createOpenStreams(30)
    const listener = new AbortController()
    for (let i = 0; i < 30; i++) streams.open('/changes', undefined, listener)
    expect(() => streams.open('/changes', undefined, listener)).toThrow('too many event listeners')
    expect(listener.signal.aborted).toBe(false)
  })
})
