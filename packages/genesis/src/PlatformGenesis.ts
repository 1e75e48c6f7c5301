import { Bytes, Codec, Id } from '@firn/codec'
import { PlatformBlock, PlatformTx, Stakeable, UtxoId } from '@firn/txs'
import { GenesisError } from './GenesisError.ts'

/** Maximum size in bytes of a genesis in the node's codec: 2^31 − 1. */
export const MAX_SIZE = 2 ** 31 - 1

/** A UTXO of the genesis. Its message is the Ethereum address of the allocation. */
export const GenesisUtxo = Codec.struct({
  ...UtxoId.UtxoId.fields,
  assetID: Codec.id,
  output: Stakeable.Output,
  message: Codec.bytes({ json: 'base64' }),
})
export type GenesisUtxo = Codec.Infer<typeof GenesisUtxo>

const layout = Codec.struct({
  utxos: Codec.array(GenesisUtxo),
  /** Transactions that add the validators. They are in the order of a binary heap by end time. */
  validators: Codec.array(PlatformTx.Tx),
  /** Transactions that create the chains: first the X-chain, then the C-chain. */
  chains: Codec.array(PlatformTx.Tx),
  /** Start time of the network in Unix seconds. */
  timestamp: Codec.u64,
  initialSupply: Codec.u64,
  message: Codec.string,
})

/** Codec of the genesis bytes. Source: avalanchego `vms/platformvm/genesis`. */
export const codec = Codec.versioned(layout, { maxSize: MAX_SIZE })

/** The genesis of the P-chain, which is also the genesis of the network. */
export type PlatformGenesis = Codec.Infer<typeof codec>

const txCodec = Codec.versioned(PlatformTx.Tx, { maxSize: MAX_SIZE })

/**
 * Decodes the genesis in `bytes` without verifying it.
 * @example
 * ```ts
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array
 * const { initialSupply, validators } = PlatformGenesis.decode(bytes)
 * ```
 * @throws CodecError with any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): PlatformGenesis {
  return codec.decode(bytes)
}

/**
 * Encodes a genesis, including the codec version.
 * @example
 * ```ts
 * import { type GenesisConfig, PlatformBuilder, PlatformGenesis } from '@firn/genesis'
 *
 * declare const config: GenesisConfig.GenesisConfig
 * const bytes = PlatformGenesis.encode(PlatformBuilder.build(config))
 * ```
 */
export function encode(genesis: PlatformGenesis): Uint8Array {
  return codec.encode(genesis)
}

/**
 * Returns the id of the genesis (32 bytes), which is the SHA-256 of its bytes. It is the parent of the
 * P-chain's block 0.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // genesis bytes
 * Id.format(PlatformGenesis.id(bytes)) // such as 'UUvXi6j7QhVvgpbKM89MP5HdrxKm9CaJeHc187TsDNf8nZdLk'
 * ```
 */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/**
 * Encodes a transaction of the genesis, which may exceed the size limit of issued transactions.
 * @example
 * ```ts
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const genesis: PlatformGenesis.PlatformGenesis
 * const sizes = genesis.chains.map((tx) => PlatformGenesis.transactionBytes(tx).length)
 * ```
 */
export function transactionBytes(tx: PlatformTx.PlatformTx): Uint8Array {
  return txCodec.encode(tx)
}

/**
 * Returns the id of a transaction of the genesis. For a transaction that creates a chain, it is the
 * blockchain id.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const genesis: PlatformGenesis.PlatformGenesis
 * const blockchainIds = genesis.chains.map((tx) => Id.format(PlatformGenesis.transactionId(tx)))
 * ```
 */
export function transactionId(tx: PlatformTx.PlatformTx): Uint8Array {
  return Id.hash(transactionBytes(tx))
}

/**
 * Returns the bytes of the P-chain's block 0.
 * @example
 * ```ts
 * import { Id } from '@firn/codec'
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // genesis bytes
 * const block = PlatformGenesis.firstBlock(PlatformGenesis.id(bytes))
 * Id.format(Id.hash(block)) // the id of the P-chain's block 0
 * ```
 */
export function firstBlock(genesisId: Uint8Array): Uint8Array {
  return PlatformBlock.encode({ type: 'ApricotCommitBlock', parentID: genesisId, height: 0n })
}

/** A chain that a genesis creates. */
export interface Chain {
  /** Id of the blockchain, 32 bytes. */
  readonly blockchainId: Uint8Array
  readonly name: string
  readonly vmId: Uint8Array
  readonly fxIds: readonly Uint8Array[]
  readonly subnetId: Uint8Array
  /** Genesis of the chain itself: binary for the X-chain, JSON for the C-chain. */
  readonly genesisData: Uint8Array
}

/**
 * Returns the chains that a genesis creates.
 * @example
 * ```ts
 * import { PlatformGenesis } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // genesis bytes
 * const names = PlatformGenesis.chains(PlatformGenesis.decode(bytes)).map(({ name }) => name)
 * ```
 * @throws GenesisError `GENESIS_CHAIN` if a transaction does not create a chain
 */
export function chains(genesis: PlatformGenesis): Chain[] {
  return genesis.chains.map((tx) => {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'CreateChainTx') {
      throw new GenesisError(
        'GENESIS_CHAIN',
        `expected a CreateChainTx in the genesis, got ${unsignedTx.type}`,
      )
    }
    const { chainName: name, vmID: vmId, fxIDs: fxIds, subnetID: subnetId, genesisData } = unsignedTx
    return {
      blockchainId: transactionId(tx),
      name,
      vmId,
      fxIds,
      subnetId,
      genesisData,
    }
  })
}

/**
 * Returns the first chain that runs the given VM.
 * @example
 * ```ts
 * import { PlatformGenesis, Vm } from '@firn/genesis'
 *
 * declare const bytes: Uint8Array // genesis bytes
 * const { blockchainId } = PlatformGenesis.chainOf(PlatformGenesis.decode(bytes), Vm.EVM)
 * ```
 * @throws GenesisError `GENESIS_CHAIN` if no chain runs it
 */
export function chainOf(genesis: PlatformGenesis, vmId: Uint8Array): Chain {
  const chain = chains(genesis).find((item) => Bytes.equals(item.vmId, vmId))
  if (chain === undefined) {
    throw new GenesisError('GENESIS_CHAIN', `the genesis has no chain with the VM ${Id.format(vmId)}`, {
      details: { vmId: Id.format(vmId) },
    })
  }
  return chain
}
