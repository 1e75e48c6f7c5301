import { Bytes, type ChainAlias, Codec, Id } from '@firn/codec'
import type { Genesis } from '@firn/genesis'
import { InitialRewards, Networks, PlatformGenesis, XChainGenesis } from '@firn/genesis'
import { AvmBlock, AvmTx, AvmUtxo, UtxoId } from '@firn/txs'
import type { Change, TransactionChange } from '../Change.ts'
import type * as Records from '../Records.ts'
import { assetOf } from './avmTransactions.ts'
import { own } from './own.ts'
import { chainOf } from './platformRules.ts'
import { refuse } from './refuse.ts'
import * as stakers from './stakers.ts'

/** Codec of the transaction that creates a genesis asset. It may be larger than an issued transaction. */
const assetTx = Codec.versioned(AvmTx.Tx, { maxSize: XChainGenesis.MAX_SIZE })

/** Returns the changes of the P-chain's block 0. */
export function platform({ platform, firstBlock }: Genesis.Genesis, constants: Networks.Constants): Change[] {
  const initial = InitialRewards.of(platform, constants)
  const tip = {
    chain: 'P',
    height: 0n,
    blockId: firstBlock.id,
    time: platform.timestamp,
    platform: {
      gas: { capacity: 0n, excess: 0n },
      validatorExcess: 0n,
      activeL1Validators: 0n,
      accruedFees: 0n,
      proposal: undefined,
    },
  } as const
  return [
    ...platform.utxos.map(({ txID: txId, outputIndex, assetID: assetId, output }, i) =>
      made('utxo', utxo('P', { txID: txId, outputIndex, assetID: assetId, output }, i), txId),
    ),
    ...validatorChanges(platform, initial),
    made('supply', { subnetId: Networks.PRIMARY_NETWORK_ID, supply: initial.currentSupply }, undefined),
    ...chainChanges(platform),
    made('tip', tip, undefined),
  ]
}

function validatorChanges(
  { validators }: PlatformGenesis.PlatformGenesis,
  initial: InitialRewards.InitialRewards,
): Change[] {
  return validators.flatMap((signed, i) => {
    const { unsignedTx: tx } = signed
    const { txId, potentialReward } = initial.rewards[i] as InitialRewards.InitialReward
    if (!stakers.isBounded(tx))
      return refuse(
        'LEDGER_GENESIS',
        `expected only validator transactions among the genesis validators, got a ${tx.type}`,
      )
    const staker = { ...stakers.current(stakers.describe(txId, tx)), potentialReward }
    const { subnetId, nodeId, weight, signer } = staker
    const member = { subnetId, nodeId, weight, publicKey: signer?.publicKey }
    const bytes = PlatformGenesis.transactionBytes(signed)
    const fate = transaction({
      chain: 'P',
      txId,
      position: i,
      name: tx.type,
      bytes,
      status: 'Committed',
    })
    return [made('staker', staker, txId), made('member', member, txId), fate]
  })
}

function chainChanges({ chains, validators }: PlatformGenesis.PlatformGenesis): Change[] {
  return chains.flatMap((signed, i) => {
    const { unsignedTx: tx } = signed
    if (tx.type !== 'CreateChainTx')
      return refuse(
        'LEDGER_GENESIS',
        `expected only CreateChainTx among the genesis chains, got a ${tx.type}`,
      )
    const bytes = PlatformGenesis.transactionBytes(signed)
    const txId = Id.hash(bytes)
    const position = validators.length + i
    const fate = transaction({ chain: 'P', txId, position, name: tx.type, bytes, status: 'Committed' })
    return [made('chain', { ...chainOf(txId, tx), height: 0n, ordinal: i }, txId), fate]
  })
}

/** Returns the changes of the X-chain's block 0. */
export function avm({ xChain }: Genesis.Genesis, { upgrades }: Networks.Constants): Change[] {
  let ordinal = 0
  const { txs } = XChainGenesis.decode(xChain.genesisData)
  const changes = txs.flatMap((asset, position) => {
    const tx = XChainGenesis.transaction(asset)
    const bytes = assetTx.encode(tx)
    const txId = Id.hash(bytes)
    const utxos = AvmUtxo.of(tx, txId).map((item) => made('utxo', utxo('X', item, ordinal++), txId))
    const name = tx.unsignedTx.type
    const fate = transaction({ chain: 'X', txId, position, name, bytes, status: 'Accepted' })
    return [made('asset', assetOf(txId, asset), txId), ...utxos, fate]
  })
  const { cortinaXChainStopVertexId: stop, cortina: time } = upgrades
  // If the constants name no stop vertex, the network's only vertex was the empty stop vertex.
  const parentId = Bytes.isZero(stop) ? XChainGenesis.emptyStopVertexId(xChain.blockchainId) : stop
  const blockId = AvmBlock.id(XChainGenesis.firstBlock(parentId, time))
  const tip = { chain: 'X', height: 0n, blockId, time, platform: undefined } as const
  return [...changes, made('tip', tip, undefined)]
}

/**
 * Returns the changes that create the C-chain's tip before its first block. The id of block 0 is not computed,
 * because it depends on the EVM, so the first block may have any parent.
 */
export function atomic(): Change[] {
  const tip = { chain: 'C', height: 0n, blockId: Id.EMPTY, time: 0n, platform: undefined } as const
  return [made('tip', tip, undefined)]
}

function utxo(chain: ChainAlias, utxo: Records.Utxo['utxo'], ordinal: number): Records.Utxo {
  const place = { height: 0n, ordinal }
  return {
    id: UtxoId.inputId(utxo),
    chain,
    source: chain,
    utxo,
    origin: 'genesis',
    rewardTxId: undefined,
    ...place,
  }
}

function transaction(part: Omit<TransactionChange, 'type' | 'height'>): TransactionChange {
  return { type: 'transaction', height: 0n, ...part }
}

function made<Name extends Records.TableName>(
  type: Name,
  after: Records.Records[Name],
  txId: Uint8Array | undefined,
): Change {
  return { type, before: undefined, after: own(after), txId } as Change
}
