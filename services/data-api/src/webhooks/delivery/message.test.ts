import { expect, test } from 'vitest'
import { canonical } from '../common/canonical.ts'
import { messageId, messageOf } from './message.ts'

test('writes canonical JSON: sorted members, no white space, without undefined members', () => {
  const value = {
    b: [1, { z: null, a: true }],
    a: 'ü"\u2028',
    c: undefined,
    d: 2n ** 63n,
    'A"': -0.5,
    '\u20ac': 1e21,
  }
  expect(canonical(value)).toBe(
    '{"A\\"":-0.5,"a":"ü\\"\u2028","b":[1,{"a":true,"z":null}],"d":9223372036854775808,"€":1e+21}',
  )
})

test('gives each delivery of each webhook its own id, always the same', () => {
  const ids = [
    messageId('one', { sequence: 1n, position: 0 }),
    messageId('one', { sequence: 1n, position: 1 }),
    messageId('one', { sequence: 2n, position: 0 }),
    messageId('two', { sequence: 1n, position: 0 }),
  ]
  expect(new Set(ids).size).toBe(4)
  expect(ids[0]).toBe(messageId('one', { sequence: 1n, position: 0 }))
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test.each([
  ['the internal calls of a transaction', [{ value: '7' }], { internalTransactions: [{ value: '7' }] }],
  ['no member for internal calls that are missing', undefined, {}],
])('sends %s to a webhook that includes them', (_what, internalTransactions, expected) => {
  const settings = { includeInternalTxs: true, includeLogs: false }
  const webhook = { id: 'one', event_type: 'address_activity', settings } as never
  const body = JSON.stringify({ transaction: { txHash: '0x01' }, logs: [], internalTransactions })
  const message = messageOf(webhook, { sequence: 1n, position: 0, isRemoval: false, body } as never)
  const { event } = JSON.parse(new TextDecoder().decode(message.body))
  expect(event.transaction).toEqual({ txHash: '0x01', ...expected })
})
