import { isFirnError } from '@firn/codec'
import { Networks } from '@firn/genesis'
import type { UnsignedTx } from '@firn/txs'
import { expect, it } from 'vitest'
import { PlatformTestChain } from '../testing/platformTestChain.ts'
import { addDelegator, addValidator, STAKE } from '../testing/txs.ts'
import { PlatformDraft } from './PlatformDraft.ts'
import { assertStakingRules } from './stakingRules.ts'

const DAY = 86_400

/** Returns a chain with the staking rules of mainnet or another network, and the rule that a transaction breaks. */
function setUp(networkId = 1, staking = Networks.MAINNET.staking) {
  const chain = new PlatformTestChain()
  const { constants } = chain.state.rules
  const changed = { ...constants, networkId, staking }
  const rules = { ...chain.state.rules, constants: changed }
  const broken = (tx: UnsignedTx.UnsignedTx) => {
    const draft = new PlatformDraft(chain.state.tables, rules)
    try {
      assertStakingRules(draft, new Uint8Array(32), tx)
      return undefined
    } catch (error) {
      return isFirnError(error) ? error.details['reason'] : error
    }
  }
  return { chain, broken }
}

it('checks amount, fee and period of validators', () => {
  const { chain, broken } = setUp()
  const good = addValidator(chain, 1, { seconds: 15 * DAY })
  expect(broken(good)).toBeUndefined()
  expect(broken(addValidator(chain, 1, { seconds: DAY }))).toBe('too-short')
  expect(broken(addValidator(chain, 1, { seconds: 400 * DAY }))).toBe('too-long')
  expect(broken(addValidator(chain, 1, { seconds: 15 * DAY, stake: STAKE - 1n }))).toBe('weight-low')
  expect(broken(addValidator(chain, 1, { seconds: 15 * DAY, stake: STAKE * 1_501n }))).toBe('weight-high')
  expect(broken({ ...good, shares: 19_999 })).toBe('fee')
})

it('checks custom networks by the rules of the local network, or by configured ones', () => {
  const { staking } = Networks.of(54_321)
  const { chain, broken } = setUp(54_321, staking)
  const [seconds, stake] = [DAY, staking.minValidatorStake]
  expect(broken(addValidator(chain, 1, { seconds, stake }))).toBeUndefined()
  expect(broken(addValidator(chain, 1, { seconds: seconds / 2, stake }))).toBe('too-short')
  expect(broken(addValidator(chain, 1, { seconds, stake: stake - 1n }))).toBe('weight-low')
  const lower = { ...staking, minStakeDuration: 30n, minValidatorStake: 1n, minDelegationFee: 0 }
  const configured = setUp(54_321, lower)
  const small = { ...addValidator(configured.chain, 1, { seconds: 60, stake: 1n }), shares: 0 }
  expect(configured.broken(small)).toBeUndefined()
})

it('checks that a delegation fits its validator', () => {
  const { chain, broken } = setUp()
  const seconds = 15 * DAY
  expect(broken(addDelegator(chain, 1, { seconds }))).toBe('no-validator')
  chain.issue(addValidator(chain, 1, { seconds: 20 * DAY }))
  expect(broken(addValidator(chain, 1, { seconds }))).toBe('duplicate')
  expect(broken(addDelegator(chain, 1, { seconds, stake: STAKE * 4n }))).toBeUndefined()
  expect(broken(addDelegator(chain, 1, { seconds, stake: STAKE * 4n + 1n }))).toBe('over-delegated')
  expect(broken(addDelegator(chain, 1, { seconds: 21 * DAY }))).toBe('period')
  chain.issue(addDelegator(chain, 1, { seconds, stake: STAKE * 3n }))
  expect(broken(addDelegator(chain, 1, { seconds, stake: STAKE }))).toBeUndefined()
  expect(broken(addDelegator(chain, 1, { seconds, stake: STAKE + 1n }))).toBe('over-delegated')
})
