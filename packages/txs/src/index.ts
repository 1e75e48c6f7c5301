/**
 * Transactions, blocks, UTXOs and fees of the Primary Network: their bytes, the node's JSON, and the node's checks.
 *
 * @packageDocumentation
 */
export * as Amount from './avax/Amount.ts'
export * as BaseTx from './avax/BaseTx.ts'
export * as Flow from './avax/Flow.ts'
export * as TransferableInput from './avax/TransferableInput.ts'
export * as TransferableOutput from './avax/TransferableOutput.ts'
export * as Utxo from './avax/Utxo.ts'
export * as UtxoId from './avax/UtxoId.ts'
export * as Credentials from './fx/Credentials.ts'
export * as Nft from './fx/Nft.ts'
export * as Owners from './fx/Owners.ts'
export * as Property from './fx/Property.ts'
export * as Secp256k1 from './fx/Secp256k1.ts'
export * as PlatformBlock from './platform/PlatformBlock.ts'
export * as PlatformTx from './platform/PlatformTx.ts'
export * as PlatformUtxo from './platform/PlatformUtxo.ts'
export * as Signer from './platform/Signer.ts'
export * as Stakeable from './platform/Stakeable.ts'
export * as StakerTx from './platform/StakerTx.ts'
export * as UnsignedTx from './platform/UnsignedTx.ts'
export * as Verifiable from './platform/Verifiable.ts'
export * as Container from './proposervm/Container.ts'
export * as ContainerHeader from './proposervm/ContainerHeader.ts'
export * as Epoch from './proposervm/Epoch.ts'
export { TxsError, type TxsErrorCode } from './TxsError.ts'
