import { Bytes } from '@firn/codec'
import type { Of } from '../platform/UnsignedTx.ts'
import { refuse } from './platformChecks.ts'

const WHOLE = 1_000_000

type Tx = Of<'TransformSubnetTx'>

/**
 * The rules for each parameter, in the order in which the node checks them: the parameter's name, the rule in
 * words, and the rule.
 */
const RULES: readonly (readonly [name: keyof Tx, rule: string, isMet: (tx: Tx) => boolean])[] = [
  ['initialSupply', 'above 0', (tx) => tx.initialSupply > 0n],
  ['initialSupply', 'at most maximumSupply', (tx) => tx.initialSupply <= tx.maximumSupply],
  [
    'minConsumptionRate',
    'at most maxConsumptionRate',
    (tx) => tx.minConsumptionRate <= tx.maxConsumptionRate,
  ],
  ['maxConsumptionRate', `at most ${WHOLE}`, (tx) => tx.maxConsumptionRate <= BigInt(WHOLE)],
  ['minValidatorStake', 'above 0', (tx) => tx.minValidatorStake > 0n],
  ['minValidatorStake', 'at most initialSupply', (tx) => tx.minValidatorStake <= tx.initialSupply],
  ['minValidatorStake', 'at most maxValidatorStake', (tx) => tx.minValidatorStake <= tx.maxValidatorStake],
  ['maxValidatorStake', 'at most maximumSupply', (tx) => tx.maxValidatorStake <= tx.maximumSupply],
  ['minStakeDuration', 'above 0', (tx) => tx.minStakeDuration > 0],
  ['minStakeDuration', 'at most maxStakeDuration', (tx) => tx.minStakeDuration <= tx.maxStakeDuration],
  ['minDelegationFee', `at most ${WHOLE}`, (tx) => tx.minDelegationFee <= WHOLE],
  ['minDelegatorStake', 'above 0', (tx) => tx.minDelegatorStake > 0n],
  ['maxValidatorWeightFactor', 'above 0', (tx) => tx.maxValidatorWeightFactor > 0],
  ['uptimeRequirement', `at most ${WHOLE}`, (tx) => tx.uptimeRequirement <= WHOLE],
]

/** Checks the parameters of a transaction that makes a subnet permissionless. */
export function assertParameters(tx: Tx, avaxAssetId: Uint8Array): void {
  if (Bytes.isZero(tx.assetID)) refuse('TXS_ASSET_ID', 'expected a staking asset, got the zero id')
  if (Bytes.equals(tx.assetID, avaxAssetId))
    refuse('TXS_ASSET_ID', 'expected a staking asset other than AVAX, got AVAX', { isAvax: true })
  for (const [name, rule, isMet] of RULES) {
    if (isMet(tx)) continue
    const value = String(tx[name])
    refuse('TXS_PARAMETERS', `expected ${name} ${rule}, got ${value}`, { name, rule, value })
  }
}
