import { expect, test } from 'vitest'
import * as Fault from './Fault.ts'

test('selects faulty validators by seed, and cancelling validators in pairs', () => {
  const faults = Fault.assign({ slow: 0.1, silent: 0.05, cancelling: 0.04 }, 100, 'seed')
  const count = (kind: Fault.Fault['kind']) =>
    [...faults.values()].filter((fault) => fault.kind === kind).length
  expect([count('slow'), count('silent'), count('cancelling')]).toEqual([10, 5, 4])
  for (const [index, fault] of faults) {
    if (fault.kind === 'cancelling')
      expect(faults.get(fault.partner)).toEqual({ kind: 'cancelling', partner: index })
  }
  expect(Fault.assign({ slow: 0.1 }, 100, 'seed')).toEqual(Fault.assign({ slow: 0.1 }, 100, 'seed'))
  expect(Fault.assign({ slow: 0.1 }, 100, 'seed')).not.toEqual(Fault.assign({ slow: 0.1 }, 100, 'other'))
})

test('treats a number as the share of silent validators', () => {
  expect([...Fault.assign(0.5, 4, 's').values()]).toEqual([{ kind: 'silent' }, { kind: 'silent' }])
})

test('accepts each kind of fault as a string, except cancelling, which requires a partner', () => {
  for (const kind of Fault.KINDS.filter((name) => name !== 'cancelling'))
    expect(Fault.parse(kind)?.kind).toBe(kind)
  expect(Fault.parse({ kind: 'cancelling', partner: 3 })).toEqual({ kind: 'cancelling', partner: 3 })
  expect(() => Fault.parse('cancelling')).toThrow(expect.objectContaining({ code: 'DEVNET_OPTIONS' }))
})

test.each([['sleepy'], [7], [{ kind: 'slow', ms: -1 }], [{ kind: 'refuse', code: 1.5 }]])(
  'rejects %j',
  (json) => {
    expect(() => Fault.parse(json)).toThrow(expect.objectContaining({ code: 'DEVNET_OPTIONS' }))
  },
)
