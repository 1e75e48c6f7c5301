import { type ChainAlias, Hex, Id, NodeId } from '@firn/codec'
import type { Blocks } from '@firn/store'
import { AvmBlock, AvmTx, Container, PlatformBlock, PlatformTx } from '@firn/txs'
import { Type } from 'typebox'
import type { Body } from '../../front/Endpoint.ts'

/** A block of the P-, X- or C-chain. C-chain blocks list only their atomic transactions. */
export const Block = Type.Object({
  blockNumber: Type.String(),
  blockHash: Type.String({
    description: 'id without the consensus wrapper; on the C-chain, the EVM block hash',
  }),
  parentHash: Type.String(),
  blockTimestamp: Type.Number(),
  blockType: Type.String(),
  txCount: Type.Number(),
  transactions: Type.Array(Type.String()),
  blockSizeBytes: Type.Number({ description: 'size without the consensus wrapper' }),
  l1ValidatorsAccruedFees: Type.Optional(
    Type.Number({ description: 'fees in nAVAX that each active L1 validator has been charged since Etna' }),
  ),
  activeL1Validators: Type.Optional(Type.Number()),
  currentSupply: Type.Optional(Type.String()),
  proposerDetails: Type.Optional(
    Type.Object({
      proposerId: Type.String({ description: 'id of the block including its consensus wrapper' }),
      proposerParentId: Type.Optional(Type.String()),
      proposerNodeId: Type.Optional(Type.String()),
      proposerPChainHeight: Type.Optional(Type.Number()),
      proposerTimestamp: Type.Optional(Type.Number()),
    }),
  ),
})

/**
 * Returns a block in the Data API's format. `atomic` contains the ids of its atomic transactions if it is a
 * C-chain block.
 */
export function block(chain: ChainAlias, listed: Blocks.Details, atomic: readonly Uint8Array[]): Body {
  const { height, id, parentId, time, bytes, state, supply } = listed
  const { blockType, transactions } = contentsOf(chain, bytes, atomic)
  const idOf = chain === 'C' ? Hex.encode : Id.format
  return {
    blockNumber: String(height),
    blockHash: idOf(id),
    parentHash: idOf(parentId),
    blockTimestamp: time,
    blockType,
    txCount: transactions.length,
    transactions: transactions.map((one) => Id.format(one)),
    blockSizeBytes: bytes.length,
    l1ValidatorsAccruedFees: state?.accruedFees,
    activeL1Validators: state?.activeL1Validators,
    currentSupply: supply === undefined ? undefined : String(supply),
    proposerDetails: proposerOf(listed),
  }
}

function contentsOf(chain: ChainAlias, bytes: Uint8Array, atomic: readonly Uint8Array[]) {
  if (chain === 'C') return { blockType: 'EvmBlock', transactions: atomic }
  if (chain === 'X') {
    const { type, txs } = AvmBlock.decode(bytes)
    return { blockType: type, transactions: txs.map((tx) => AvmTx.id(AvmTx.encode(tx))) }
  }
  const decoded = PlatformBlock.decode(bytes)
  const transactions = PlatformBlock.transactions(decoded)
  return {
    blockType: decoded.type,
    transactions: transactions.map((tx) => PlatformTx.id(PlatformTx.encode(tx))),
  }
}

/**
 * Returns the data in a block's consensus wrapper, or undefined for a block without one. The wrapper of an option
 * block does not name a proposer.
 */
function proposerOf({ container }: Blocks.Details): Body | undefined {
  if (container === undefined) return undefined
  const opened = Container.open(container.bytes)
  if (opened.kind === 'preFork') return undefined
  const { container: around } = opened
  const proposerId = Id.format(container.id)
  const proposerParentId = Id.format(around.parentID)
  if (around.type === 'Option') return { proposerId, proposerParentId }
  return {
    proposerId,
    proposerParentId,
    proposerNodeId: around.certificate.length === 0 ? undefined : NodeId.format(Container.proposer(around)),
    proposerPChainHeight: around.pChainHeight,
    proposerTimestamp: around.timestamp,
  }
}
