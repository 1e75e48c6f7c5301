import { Bytes } from '@firn/codec'
import { Networks } from '@firn/genesis'
import { LedgerState, type Records } from '@firn/ledger'
import { type Chain, key, type PrimaryValidator, type State, type Subnet } from './State.ts'

/** A validator's node id and BLS key; null if no key is registered. */
export type NodeKey = Pick<PrimaryValidator, 'nodeId' | 'publicKey'>

/**
 * Converts the P-chain state of a ledger to the state of a devnet.
 * @param replace returns the node that takes the place of a node of the ledger; by default, each node is kept
 */
export function stateOf(
  { tables, rules }: LedgerState.LedgerState,
  replace: (node: NodeKey) => NodeKey = (node) => node,
): State {
  const { constants, chainIds } = rules
  const { height, time, platform } = LedgerState.tip({ tables, rules }, 'P')
  const accruedFees = platform?.accruedFees ?? 0n
  const primary = [...tables.member.ordered()].flatMap(({ subnetId, nodeId, publicKey = null, weight }) =>
    Bytes.isZero(subnetId) ? [{ ...replace({ nodeId, publicKey }), weight, startTime: 0n }] : [],
  )
  const l1Validators = Array.from(tables.l1Validator.ordered(), (validator) => {
    const { validationId, subnetId, nodeId, publicKey, weight, minNonce, startTime, endAccumulatedFee } =
      validator
    const node = replace({ nodeId, publicKey }) as NodeKey & { readonly publicKey: Uint8Array }
    const balance = endAccumulatedFee === 0n ? 0n : endAccumulatedFee - accruedFees
    return { ...node, validationId, subnetId, weight, minNonce, balance, startTime }
  })
  const chains: Chain[] = [
    { id: chainIds.P, name: 'P-Chain', subnetId: Networks.PRIMARY_NETWORK_ID, vm: 'platformvm' },
    ...Array.from(tables.chain.ordered(), (chain) => chainOf(chain, chainIds)),
  ]
  return {
    networkId: constants.networkId,
    height,
    time,
    primary: new Map(primary.map((validator) => [key(validator.nodeId), validator])),
    subnets: new Map(
      Array.from(tables.subnet.ordered(), (subnet) => [key(subnet.subnetId), subnetOf(subnet)]),
    ),
    chains: new Map(chains.map((chain) => [key(chain.id), chain])),
    l1Validators: new Map(l1Validators.map((validator) => [key(validator.validationId), validator])),
    expiries: new Map(
      Array.from(tables.expiry.ordered(), ({ validationId, timestamp }) => [key(validationId), timestamp]),
    ),
  }
}

function subnetOf({ subnetId: id, conversion }: Records.Subnet): Subnet {
  if (conversion === undefined) return { id, conversion: null }
  const { conversionId, managerChainId, managerAddress } = conversion
  return { id, conversion: { id: conversionId, managerChainId, managerAddress } }
}

function chainOf(
  { blockchainId: id, name, subnetId }: Records.Chain,
  { X, C }: LedgerState.LedgerState['rules']['chainIds'],
): Chain {
  const vm = Bytes.equals(id, X) ? 'avm' : Bytes.equals(id, C) ? 'coreth' : 'subnet-evm'
  return { id, name, subnetId, vm }
}
