import { Networks, Upgrades } from '@firn/genesis'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as NetworkRules from './NetworkRules.ts'

/** Returns an arbitrary that generates values with the same types as the template. */
function like(template: unknown): fc.Arbitrary<unknown> {
  if (typeof template === 'bigint') return fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  if (typeof template === 'number')
    return fc.double({ noNaN: true, noDefaultInfinity: true }).map((x) => x + 0)
  if (template instanceof Uint8Array) {
    return fc.uint8Array({ minLength: template.length, maxLength: template.length })
  }
  return fc.record(
    Object.fromEntries(Object.entries(template as object).map(([name, item]) => [name, like(item)])),
    { noNullPrototype: true },
  )
}

test.each([...Networks.STANDARD, Networks.of(1337)])(
  'round-trips the rules of $name through JSON',
  (constants) => {
    const { upgrades, staking, reward, dynamicFee, validatorFee, txFee, createAssetTxFee } = constants
    const rules = { upgrades, staking, reward, dynamicFee, validatorFee, txFee, createAssetTxFee }
    const property = fc.property(like(rules), (special) => {
      const own = { ...constants, ...(special as typeof rules) }
      const json = JSON.parse(JSON.stringify(NetworkRules.format(own)))
      expect(NetworkRules.parse(constants.networkId, json)).toEqual(own)
    })
    fc.assert(property, { numRuns: 30 })
  },
)

test("uses the network's defaults for missing rules, and rejects invalid rules", () => {
  const constants = Networks.of(1337)
  expect(NetworkRules.parse(1337, { upgrades: {}, settings: null })).toEqual(constants)
  const later = { upgrades: { helicon: '7' }, settings: {} }
  expect(NetworkRules.parse(1337, later).upgrades).toEqual({ ...Upgrades.DEFAULT, helicon: 7n })
  const wrong = { upgrades: { helicon: 'soon' }, settings: {} }
  expect(() => NetworkRules.parse(1337, wrong)).toThrow(expect.objectContaining({ code: 'STORE_CORRUPT' }))
})

test.each([
  ['allows another time of an upgrade that is later than the stored blocks', 10n, 20n, 9n, 'none'],
  ['allows the same time', 10n, 10n, 99n, 'none'],
  ['rejects a stored upgrade that the blocks have passed', 10n, 20n, 10n, 'STORE_UPGRADES'],
  ['rejects a given upgrade that the blocks have passed', 20n, 10n, 10n, 'STORE_UPGRADES'],
])('%s', (_name, stored, given, time, expected) => {
  const at = (helicon: bigint) => ({ ...Upgrades.DEFAULT, ...old, helicon })
  const old = Object.fromEntries(Upgrades.NAMES.map((name) => [name, 0n]))
  const check = () => NetworkRules.assertSamePast(at(stored), at(given), time)
  if (expected === 'none') check()
  else expect(check).toThrow(expect.objectContaining({ code: expected, details: { upgrade: 'helicon' } }))
})

test('rejects another duration of epochs once the stored blocks have epochs', () => {
  const at = (graniteEpochDuration: bigint) => ({ ...Upgrades.DEFAULT, granite: 10n, graniteEpochDuration })
  const check = (given: bigint, time: bigint) => NetworkRules.assertSamePast(at(5n), at(given), time)
  check(30n, 9n)
  check(5n, 10n)
  const details = { upgrade: 'graniteEpochDuration' }
  expect(() => check(30n, 10n)).toThrow(expect.objectContaining({ code: 'STORE_UPGRADES', details }))
})
