import { type ChainAlias, Hex, Id, NodeId } from '@firn/codec'
import type { Blocks } from '@firn/store'
import { AvmBlock, AvmTx, Container, PlatformBlock, PlatformTx } from '@firn/txs'
import type { Body } from '../../http/endpoint/Endpoint.ts'
import * as Field from '../../http/endpoint/Field.ts'
import * as Schema from '../../http/endpoint/Schema.ts'

/** A block of the P-, X- or C-chain. C-chain blocks list only their atomic transactions. */
export const Block = Schema.object(
  'PrimaryNetworkBlock',
  'A block of the P-, X- or C-chain. C-chain blocks list only their atomic transactions.',
  {
    blockNumber: Field.height('Number of the block'),
    blockHash: Schema.text(
      'Id of the block without the consensus wrapper, in CB58; on the C-chain the EVM block hash, in hexadecimal',
      '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    ),
    parentHash: Schema.text(
      'Id of the parent, in the same form as `blockHash`',
      '2oYMBNV4eNHyqk2fjjV5nVQLDbtmNJzq5s3qs3Lo6ftnC6FByM',
    ),
    blockTimestamp: Field.seconds('Time of the block'),
    blockType: Schema.text('Type of the block', 'BanffStandardBlock'),
    txCount: Field.count('Number of transactions', 1),
    transactions: Schema.list(Field.cb58('Id of a transaction'), 'Ids of the transactions, in block order'),
    blockSizeBytes: Schema.integer('Size of the block without the consensus wrapper, in bytes', 640),
    l1ValidatorsAccruedFees: Schema.optional(
      Schema.integer(
        'Fees that each active L1 validator has been charged since the Etna upgrade, in nAVAX',
        81_920_000,
      ),
    ),
    activeL1Validators: Schema.optional(Schema.integer('Number of active L1 validators', 42)),
    currentSupply: Schema.optional(Field.nAvax('Supply of AVAX after the block', '450000000000000000')),
    proposerDetails: Schema.optional(
      Schema.object('ProposerDetails', 'Proposer of a block, from its consensus wrapper', {
        proposerId: Field.cb58('Id of the block including its consensus wrapper'),
        proposerParentId: Schema.optional(Field.cb58('Id of the parent including its consensus wrapper')),
        proposerNodeId: Schema.optional(Field.nodeId('Node that proposed the block')),
        proposerPChainHeight: Schema.optional(
          Schema.integer('P-chain height at which the proposers were selected', 16_776_960),
        ),
        proposerTimestamp: Schema.optional(Field.seconds('Time at which the block was proposed')),
      }),
    ),
  },
)

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
