import { Bytes, Codec, Id } from '@firn/codec'
import { PlatformBlock, PlatformTx, Stakeable, UtxoId } from '@firn/txs'
import { GenesisError } from './GenesisError.ts'

/** Maximum size of a genesis in the node's codec, 2 GiB. */
export const MAX_SIZE = 2 ** 31 - 1

/** A UTXO of the genesis; its message is the Ethereum address of the allocation. */
export const GenesisUtxo = Codec.struct({
  ...UtxoId.UtxoId.fields,
  assetID: Codec.id,
  output: Stakeable.Output,
  message: Codec.bytes({ json: 'base64' }),
})
export type GenesisUtxo = Codec.Infer<typeof GenesisUtxo>

const layout = Codec.struct({
  utxos: Codec.array(GenesisUtxo),
  /** Transactions of the validators, in the order of a binary heap by end time. */
  validators: Codec.array(PlatformTx.Tx),
  /** Transactions of the chains: X, then C. */
  chains: Codec.array(PlatformTx.Tx),
  /** Unix seconds. */
  timestamp: Codec.u64,
  initialSupply: Codec.u64,
  message: Codec.string,
})

/** The codec of the genesis bytes. Source: avalanchego `vms/platformvm/genesis`. */
export const codec = Codec.versioned(layout, { maxSize: MAX_SIZE })

/** The genesis of the P-chain, which is also that of the network. */
export type PlatformGenesis = Codec.Infer<typeof codec>

const txCodec = Codec.versioned(PlatformTx.Tx, { maxSize: MAX_SIZE })

/**
 * Decodes the genesis in `bytes` without verifying it.
 * @throws CodecError any code of binary data, with `path` and `offset`
 */
export function decode(bytes: Uint8Array): PlatformGenesis {
  return codec.decode(bytes)
}

/** Encodes a genesis, with the codec version. */
export function encode(genesis: PlatformGenesis): Uint8Array {
  return codec.encode(genesis)
}

/**
 * Returns the id of the genesis (32 bytes): SHA-256 of its bytes. It is the parent of the P-chain's block 0.
 */
export function id(bytes: Uint8Array): Uint8Array {
  return Id.hash(bytes)
}

/** Encodes a transaction of the genesis, which may be longer than an issued one. */
export function transactionBytes(tx: PlatformTx.PlatformTx): Uint8Array {
  return txCodec.encode(tx)
}

/** Returns the id of a transaction of the genesis; for a chain it is the blockchain id. */
export function transactionId(tx: PlatformTx.PlatformTx): Uint8Array {
  return Id.hash(transactionBytes(tx))
}

/** Returns the bytes of the P-chain's block 0. */
export function firstBlock(genesisId: Uint8Array): Uint8Array {
  return PlatformBlock.encode({ type: 'ApricotCommitBlock', parentID: genesisId, height: 0n })
}

/** A chain that a genesis creates. */
export interface Chain {
  /** 32 bytes. */
  readonly blockchainId: Uint8Array
  readonly name: string
  readonly vmId: Uint8Array
  readonly fxIds: readonly Uint8Array[]
  readonly subnetId: Uint8Array
  /** The chain's own genesis: bytes of the X-chain, JSON of the C-chain. */
  readonly genesisData: Uint8Array
}

/**
 * Returns the chains that a genesis creates.
 * @throws GenesisError `GENESIS_CHAIN`: a transaction does not create a chain
 */
export function chains(genesis: PlatformGenesis): Chain[] {
  return genesis.chains.map((tx) => {
    const { unsignedTx } = tx
    if (unsignedTx.type !== 'CreateChainTx') {
      throw new GenesisError('GENESIS_CHAIN', `expected a CreateChainTx, got ${unsignedTx.type}`)
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
 * Returns the first chain of a VM.
 * @throws GenesisError `GENESIS_CHAIN`
 */
export function chainOf(genesis: PlatformGenesis, vmId: Uint8Array): Chain {
  const chain = chains(genesis).find((item) => Bytes.equals(item.vmId, vmId))
  if (chain === undefined) {
    throw new GenesisError('GENESIS_CHAIN', `expected a chain of the VM ${Id.format(vmId)}, got none`, {
      details: { vmID: Id.format(vmId) },
    })
  }
  return chain
}
