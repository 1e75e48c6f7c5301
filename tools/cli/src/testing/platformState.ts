import { Bytes, Hex } from '@firn/codec'
import type { Node, State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { LedgerState, type Records } from '@firn/ledger'

/** The devnet's nodes by the node ids, in hex, of the recorded ones in whose place they stand. For tests only. */
export type Stand = ReadonlyMap<string, Node>

/** Which node stands for whom: the first for the first, and so on. For tests only. */
export function standIns(recorded: readonly Uint8Array[], nodes: readonly Node[]): Stand {
  const pairs = recorded.map((nodeID, i) => [Hex.encodeBare(nodeID), nodes[i] as Node] as const)
  return new Map(pairs)
}

/**
 * A ledger's P-chain as a devnet has it: all that its validators judge requests by is the ledger's, and only the keys of the nodes that
 * sign are the devnet's own. For tests only.
 */
export function platformState(ledger: LedgerState.LedgerState, stand: Stand): State.State {
  const { tables, rules } = ledger
  const { height, time, platform } = LedgerState.tip(ledger, 'P')
  const byKey = <T, U>(records: Iterable<T>, keyOf: (record: T) => Uint8Array, value: (record: T) => U) =>
    new Map(Array.from(records, (record) => [Hex.encodeBare(keyOf(record)), value(record)] as const))
  const nodeOf = (nodeID: Uint8Array, publicKey: Uint8Array | undefined) =>
    stand.get(Hex.encodeBare(nodeID)) ?? { nodeId: nodeID, publicKey: publicKey ?? null }
  const primary = [...tables.member.ordered()].flatMap(({ subnetID, nodeID, publicKey, weight }) =>
    Bytes.isZero(subnetID) ? [{ ...nodeOf(nodeID, publicKey), weight, startTime: 0n }] : [],
  )
  return {
    networkId: rules.constants.networkID,
    height,
    time,
    primary: byKey(
      primary,
      ({ nodeId }) => nodeId,
      (one) => one,
    ),
    subnets: byKey(tables.subnet.ordered(), ({ subnetID }) => subnetID, subnetOf),
    chains: new Map([
      ...byKey([rules.chainIDs.P], (id) => id, platformChain),
      ...byKey(
        tables.chain.ordered(),
        ({ blockchainID }) => blockchainID,
        (one) => chainOf(one, rules),
      ),
    ]),
    l1Validators: byKey(
      tables.l1Validator.ordered(),
      ({ validationID }) => validationID,
      ({ validationID, subnetID, nodeID, publicKey, weight, minNonce, endAccumulatedFee, startTime }) => ({
        ...(nodeOf(nodeID, publicKey) as Node),
        validationId: validationID,
        subnetId: subnetID,
        weight,
        minNonce,
        balance: endAccumulatedFee === 0n ? 0n : endAccumulatedFee - (platform?.accruedFees ?? 0n),
        startTime,
      }),
    ),
    expiries: byKey(
      tables.expiry.ordered(),
      ({ validationID }) => validationID,
      ({ timestamp }) => timestamp,
    ),
  }
}

function subnetOf({ subnetID: id, conversion }: Records.Subnet): State.Subnet {
  if (conversion === undefined) return { id, conversion: null }
  const { conversionID, managerChainID, managerAddress } = conversion
  return { id, conversion: { id: conversionID, managerChainId: managerChainID, managerAddress } }
}

function platformChain(id: Uint8Array): State.Chain {
  return { id, name: 'P-Chain', subnetId: Networks.PRIMARY_NETWORK_ID, vm: 'platformvm' }
}

function chainOf(
  { blockchainID: id, name, subnetID }: Records.Chain,
  rules: LedgerState.LedgerState['rules'],
): State.Chain {
  const vm = Bytes.equals(id, rules.chainIDs.X)
    ? 'avm'
    : Bytes.equals(id, rules.chainIDs.C)
      ? 'coreth'
      : 'subnet-evm'
  return { id, name, subnetId: subnetID, vm }
}
