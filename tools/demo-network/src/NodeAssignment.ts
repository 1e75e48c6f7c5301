import { Bytes, Hex } from '@firn/codec'
import type { Node, State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { LedgerState, type Records } from '@firn/ledger'

/** The devnet's node that replaces each recorded node, by recorded node id in hex. */
export type NodeAssignment = ReadonlyMap<string, Node>

/** Assigns the devnet's nodes to the recorded nodes in order. */
export function assign(recorded: readonly Uint8Array[], nodes: readonly Node[]): NodeAssignment {
  const pairs = recorded.map((nodeId, i) => [Hex.encodeBare(nodeId), nodes[i] as Node] as const)
  return new Map(pairs)
}

/** Returns the ids of all nodes in a current validator set. Nodes of the Primary Network come first. */
export function signersOf({ tables }: LedgerState.LedgerState): readonly Uint8Array[] {
  const members = [...tables.member.ordered()]
  const ids = [
    ...members.filter(({ subnetId }) => Bytes.isZero(subnetId)),
    ...members.filter(({ subnetId }) => !Bytes.isZero(subnetId)),
  ].map(({ nodeId }) => nodeId)
  return [...new Map(ids.filter((id) => !Bytes.isZero(id)).map((id) => [Hex.encodeBare(id), id])).values()]
}

/**
 * Converts the P-chain state of a ledger to the state of a devnet. Only the node ids and keys differ, because
 * the devnet's nodes replace the recorded nodes.
 */
export function toPlatformState(ledger: LedgerState.LedgerState, assignment: NodeAssignment): State.State {
  const { tables, rules } = ledger
  const { height, time, platform } = LedgerState.tip(ledger, 'P')
  const byKey = <T, U>(records: Iterable<T>, keyOf: (record: T) => Uint8Array, value: (record: T) => U) =>
    new Map(Array.from(records, (record) => [Hex.encodeBare(keyOf(record)), value(record)] as const))
  const nodeOf = (nodeId: Uint8Array, publicKey: Uint8Array | undefined) =>
    assignment.get(Hex.encodeBare(nodeId)) ?? { nodeId: nodeId, publicKey: publicKey ?? null }
  const primary = [...tables.member.ordered()].flatMap(({ subnetId, nodeId, publicKey, weight }) =>
    Bytes.isZero(subnetId) ? [{ ...nodeOf(nodeId, publicKey), weight, startTime: 0n }] : [],
  )
  return {
    networkId: rules.constants.networkId,
    height,
    time,
    primary: byKey(
      primary,
      ({ nodeId }) => nodeId,
      (one) => one,
    ),
    subnets: byKey(tables.subnet.ordered(), ({ subnetId }) => subnetId, subnetOf),
    chains: new Map([
      ...byKey([rules.chainIds.P], (id) => id, platformChain),
      ...byKey(
        tables.chain.ordered(),
        ({ blockchainId }) => blockchainId,
        (one) => chainOf(one, rules),
      ),
    ]),
    l1Validators: byKey(
      tables.l1Validator.ordered(),
      ({ validationId }) => validationId,
      ({ validationId, subnetId, nodeId, publicKey, weight, minNonce, endAccumulatedFee, startTime }) => ({
        ...(nodeOf(nodeId, publicKey) as Node),
        validationId: validationId,
        subnetId: subnetId,
        weight,
        minNonce,
        balance: endAccumulatedFee === 0n ? 0n : endAccumulatedFee - (platform?.accruedFees ?? 0n),
        startTime,
      }),
    ),
    expiries: byKey(
      tables.expiry.ordered(),
      ({ validationId }) => validationId,
      ({ timestamp }) => timestamp,
    ),
  }
}

function subnetOf({ subnetId: id, conversion }: Records.Subnet): State.Subnet {
  if (conversion === undefined) return { id, conversion: null }
  const { conversionId, managerChainId, managerAddress } = conversion
  return { id, conversion: { id: conversionId, managerChainId: managerChainId, managerAddress } }
}

function platformChain(id: Uint8Array): State.Chain {
  return { id, name: 'P-Chain', subnetId: Networks.PRIMARY_NETWORK_ID, vm: 'platformvm' }
}

function chainOf(
  { blockchainId: id, name, subnetId }: Records.Chain,
  rules: LedgerState.LedgerState['rules'],
): State.Chain {
  const vm = Bytes.equals(id, rules.chainIds.X)
    ? 'avm'
    : Bytes.equals(id, rules.chainIds.C)
      ? 'coreth'
      : 'subnet-evm'
  return { id, name, subnetId: subnetId, vm }
}
