import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMatcher, type Filter } from './Matcher.ts'

const ADDRESSES = ['a', 'b', 'c', 'd', 'e']
const SIGNATURES = ['s', 't', 'u']
const subset = (all: readonly string[]) => fc.uniqueArray(fc.constantFrom(...all), { maxLength: 3 })

const step = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.constantFrom('1', '2', '3', '4'),
    fromSequence: fc.bigInt(0n, 4n),
    keys: subset(ADDRESSES),
    signatures: subset(SIGNATURES),
  }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.constantFrom('1', '2', '3', '4') }),
  fc.record({
    kind: fc.constant('match' as const),
    sequence: fc.bigInt(0n, 5n),
    activity: fc.uniqueArray(fc.tuple(fc.constantFrom(...ADDRESSES), subset(SIGNATURES)), {
      selector: ([address]) => address,
    }),
  }),
)

test('finds the same webhooks as a comparison with each of them, whatever was added and removed', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const matcher = createMatcher()
      const plain = new Map<string, Filter>()
      for (const one of steps) {
        if (one.kind === 'put') {
          matcher.put(one)
          plain.set(one.id, one)
        } else if (one.kind === 'remove') {
          matcher.remove(one.id)
          plain.delete(one.id)
        } else {
          const activity = new Map(one.activity.map(([address, some]) => [address, new Set(some)]))
          const expected = [...plain.values()].filter(
            ({ keys, signatures, fromSequence }) =>
              one.sequence > fromSequence &&
              one.activity.some(
                ([address, emitted]) =>
                  keys.includes(address) &&
                  (signatures.length === 0 || signatures.some((signature) => emitted.includes(signature))),
              ),
          )
          expect([...matcher.match(activity, one.sequence)].sort()).toEqual(
            expected.map(({ id }) => id).sort(),
          )
        }
        expect(matcher.size).toBe(plain.size)
        const froms = [...plain.values()].map(({ fromSequence }) => fromSequence)
        expect(matcher.lowest()).toBe(froms.sort((a, b) => (a < b ? -1 : 1))[0])
      }
    }),
    { numRuns: 400 },
  )
})
