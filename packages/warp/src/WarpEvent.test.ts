import { Hex } from '@firn/codec'
import { describe, expect, test } from 'vitest'
import { codeOf, load } from './testing/vectors.ts'
import * as UnsignedMessage from './UnsignedMessage.ts'
import * as WarpEvent from './WarpEvent.ts'

interface RecordedLog {
  readonly name: string
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

function logOf({ address, topics, data }: RecordedLog): WarpEvent.Log {
  return { address: Hex.decode(address), topics: topics.map(Hex.decode), data: Hex.decode(data) }
}

const logs = load<RecordedLog>('logs')

test('decodes every recorded log and encodes it to the same bytes', () => {
  for (const recorded of logs) {
    const log = logOf(recorded)
    const event = WarpEvent.decode(log)
    expect(UnsignedMessage.id(event.message), recorded.name).toEqual(log.topics[2])
    expect(WarpEvent.encode(event.sender, event.message), recorded.name).toEqual(log)
  }
})

describe('refusals', () => {
  const log = logOf(logs[0] as RecordedLog)
  const at = (index: number, value: number) => {
    const data = log.data.slice()
    data[index] = value
    return data
  }
  const [topic, sender, id] = log.topics as [Uint8Array, Uint8Array, Uint8Array]

  test.each<[string, WarpEvent.Log]>([
    ['another address', { ...log, address: new Uint8Array(20) }],
    ['another event', { ...log, topics: [id, sender, id] }],
    ['two topics', { ...log, topics: [topic, sender] }],
    ['four topics', { ...log, topics: [topic, sender, id, id] }],
    ['a sender of 32 bytes', { ...log, topics: [topic, id, id] }],
    ['an id of another message', { ...log, topics: [topic, sender, sender] }],
    ['no data', { ...log, data: new Uint8Array() }],
    ['another offset', { ...log, data: at(31, 64) }],
    ['an offset beyond 32 bits', { ...log, data: at(0, 1) }],
    ['a length beyond 32 bits', { ...log, data: at(32, 1) }],
    ['a length beyond the data', { ...log, data: at(62, 1) }],
    ['padding that is not zero', { ...log, data: at(log.data.length - 1, 1) }],
    ['additional words', { ...log, data: new Uint8Array([...log.data, ...new Uint8Array(32)]) }],
    ['a truncated last word', { ...log, data: log.data.subarray(0, -1) }],
  ])('rejects a log with %s', (_what, changed) => {
    expect(codeOf(() => WarpEvent.decode(changed))).toBe('WARP_EVENT')
  })
})
