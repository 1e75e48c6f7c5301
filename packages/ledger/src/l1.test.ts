import { Hex, Id } from '@firn/codec'
import { describe, expect, it } from 'vitest'
import type { Change } from './Change.ts'
import type { L1Validator } from './Records.ts'
import { AUTHORIZATION, id, idOf, L1_OWNER, node, PlatformTestChain } from './testing/platformTestChain.ts'
import * as txs from './testing/txs.ts'
import * as ValidatorSets from './ValidatorSets.ts'

/** Creates an L1 whose validators have the given balances. */
function l1(balances: readonly bigint[], testChain = new PlatformTestChain()) {
  const subnetId = testChain.issue(txs.createSubnet(testChain))
  const conversion = testChain.issue(txs.convert(testChain, subnetId, balances))
  const validator = (index: number) =>
    testChain.state.tables.l1Validator.get(Hex.encodeBare(Id.append(subnetId, index))) as L1Validator
  return { testChain, subnetID: subnetId, conversion, validator }
}

const refunds = (changes: readonly Change[]) =>
  changes.filter((change) => change.type === 'utxo' && change.after?.origin === 'refund')

describe('messages of an L1', () => {
  const { testChain, subnetID: subnetId, validator } = l1([9_000_000n, 0n])

  it("rejects an L1 message that was not sent by the L1's manager", () => {
    expect(testChain.refusal(txs.register(testChain, subnetId))).toBe('none')
    expect(testChain.refusal(txs.register(testChain, subnetId, { chainId: id(1) }))).toBe('LEDGER_MESSAGE')
    expect(testChain.refusal(txs.register(testChain, subnetId, { address: id(1, 20) }))).toBe(
      'LEDGER_MESSAGE',
    )
    expect(testChain.refusal(txs.register(testChain, id(1)))).toBe('LEDGER_MESSAGE')
  })

  it('accepts the registration of an L1 validator that expires within a day, but not twice', () => {
    const now = testChain.after(1)
    const refusal = (expiry: bigint) => testChain.refusal(txs.register(testChain, subnetId, { expiry }))
    expect([now, now + 1n, now + 86_400n, now + 86_401n].map(refusal)).toEqual([
      'LEDGER_MESSAGE',
      'none',
      'none',
      'LEDGER_MESSAGE',
    ])
    const own = l1([9_000_000n])
    const expiry = own.testChain.after(10)
    const register = txs.register(own.testChain, own.subnetID, { expiry, seed: 85 })
    own.testChain.issue(register)
    const registered = [...own.testChain.state.tables.l1Validator.ordered()].find(
      ({ weight }) => weight === 3n,
    )
    expect(registered).toMatchObject({
      nodeId: node(85),
      remainingBalanceOwner: L1_OWNER,
      deactivationOwner: { threshold: 0, addresses: [] },
    })
    const again = { ...register, ...own.testChain.base(1_000_000n) }
    expect(own.testChain.refusal(again)).toBe('LEDGER_MESSAGE')
    const others = { ...txs.register(own.testChain, own.subnetID, { seed: 85 }) }
    expect(own.testChain.refusal(others)).toBe('LEDGER_L1_VALIDATOR')
    const pass = (time: bigint) =>
      own.testChain.accept(
        own.testChain.block({
          type: 'BanffStandardBlock',
          time,
          txs: [{ unsignedTx: txs.base(own.testChain), credentials: [] }],
        }),
      )
    pass(expiry - 1n)
    expect([...own.testChain.state.tables.expiry.ordered()]).toHaveLength(1)
    pass(expiry)
    expect([...own.testChain.state.tables.expiry.ordered()]).toHaveLength(0)
  })

  it('rejects a weight change with a used nonce, and the removal of the last validator', () => {
    const { validationId } = validator(0)
    const refusal = (nonce: bigint, weight: bigint) =>
      testChain.refusal(txs.setWeight(testChain, validationId, nonce, weight))
    testChain.issue(txs.setWeight(testChain, validationId, 4n, 12n))
    expect([refusal(4n, 13n), refusal(5n, 13n), refusal(5n, 0n)]).toEqual(['LEDGER_MESSAGE', 'none', 'none'])
    expect(refusal(2n ** 64n - 1n, 1n)).toBe('LEDGER_MESSAGE')
    expect(testChain.refusal(txs.setWeight(testChain, id(1), 0n, 1n))).toBe('LEDGER_L1_VALIDATOR')
    const changes = testChain.accept(testChain.standard(txs.setWeight(testChain, validationId, 9n, 0n)))
    expect(refunds(changes)).toHaveLength(1)
    const { validationId: last } = validator(1)
    expect(testChain.refusal(txs.setWeight(testChain, last, 0n, 0n))).toBe('LEDGER_L1_VALIDATOR')
  })
})

describe('balances of L1 validators', () => {
  it('deactivates a validator at the time at which its balance runs out, and rejects a later block time', () => {
    // The fee is 1 nAVAX per second while few validators are active.
    const { testChain, validator } = l1([5n, 9_000_000n])
    const start = testChain.tip.time
    const block = (seconds: bigint) =>
      testChain.block({ type: 'BanffStandardBlock', time: start + seconds, txs: [] })
    expect(testChain.refusalOf(block(6n))).toBe('LEDGER_TIME')
    expect(testChain.refusalOf(block(4n))).toBe('LEDGER_EMPTY_BLOCK')
    const changes = testChain.accept(block(5n))
    expect(validator(0).endAccumulatedFee).toBe(0n)
    expect(testChain.platform.activeL1Validators).toBe(1n)
    expect(refunds(changes)).toEqual([])
    const differences = ValidatorSets.differences(changes)
    expect(differences.map(({ nodeId, after }) => [nodeId, after?.weight])).toEqual([
      [node(61), undefined],
      [node(0), 10n],
    ])
  })

  it("accepts a DisableL1ValidatorTx in the second in which the validator's balance runs out", () => {
    const { testChain, validator } = l1([2n, 9_000_000n])
    testChain.issue(txs.base(testChain))
    const { validationId } = validator(0)
    expect(validator(0).endAccumulatedFee - testChain.platform.accruedFees).toBe(1n)
    const disable = { validationID: validationId, disableAuthorization: AUTHORIZATION }
    expect(testChain.refusal({ type: 'DisableL1ValidatorTx', ...testChain.base(), ...disable })).toBe('none')
  })

  it('deactivates an L1 validator that cannot pay for the next second', () => {
    const testChain = new PlatformTestChain({}, (c) => ({
      ...c,
      validatorFee: { ...c.validatorFee, minPrice: 10n },
    }))
    const { validator } = l1([9n, 10n, 11n], testChain)
    expect([0, 1, 2].map((i) => validator(i).endAccumulatedFee > 0n)).toEqual([false, true, true])
  })

  it('refunds the remaining balance only once when an L1 validator is disabled', () => {
    const { testChain, validator } = l1([9_000_000n, 9_000_000n])
    const { validationId } = validator(0)
    const disable = () =>
      ({
        type: 'DisableL1ValidatorTx',
        ...testChain.base(),
        validationID: validationId,
        disableAuthorization: AUTHORIZATION,
      }) as const
    const first = testChain.accept(testChain.standard(disable()))
    expect(refunds(first)).toHaveLength(1)
    const tx = disable()
    const second = testChain.accept(testChain.standard(tx))
    expect(refunds(second)).toEqual([])
    expect(second.find(({ type }) => type === 'transaction')).toMatchObject({
      txId: idOf(tx),
      name: 'DisableL1ValidatorTx',
      status: 'Committed',
    })
    expect(second.filter(({ type }) => type === 'l1Validator')).toEqual([])
    const { validationId: other } = validator(1)
    const increase = { type: 'IncreaseL1ValidatorBalanceTx', validationID: other, balance: 1n } as const
    const third = testChain.accept(testChain.standard({ ...testChain.base(1n), ...increase }))
    expect(third.filter(({ type }) => type === 'l1Validator')).toHaveLength(1)
    expect(ValidatorSets.differences(third)).toEqual([])
    const add = { validationID: validationId, balance: 7_000n }
    testChain.issue({ type: 'IncreaseL1ValidatorBalanceTx', ...testChain.base(7_000n), ...add })
    expect(validator(0).endAccumulatedFee - testChain.platform.accruedFees).toBe(7_000n)
  })

  it("rejects an active L1 validator above the network's capacity, but accepts an inactive one", () => {
    const testChain = new PlatformTestChain({}, (c) => ({
      ...c,
      validatorFee: { ...c.validatorFee, capacity: 1n },
    }))
    const { subnetID: subnetId } = l1([9_000_000n], testChain)
    expect(testChain.refusal(txs.register(testChain, subnetId))).toBe('LEDGER_L1_VALIDATOR')
    expect(testChain.refusal(txs.register(testChain, subnetId, { balance: 0n }))).toBe('none')
  })
})
