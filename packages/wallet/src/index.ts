/**
 * A wallet for the P-, X- and C-chain: builds, signs and issues transactions, and waits until they are accepted.
 *
 * @packageDocumentation
 */
export { avax, formatAvax } from './Amount.ts'
export { issueOnceThereIsGas, type WaitOptions, waitForAcceptance } from './acceptance.ts'
export { type Balance, createWallet, type Wallet, type WalletOptions } from './createWallet.ts'
export * as Drafts from './Drafts.ts'
export { UNCHECKED_BALANCE } from './evmAmounts.ts'
export type { EvmTransfer } from './evmTransfer.ts'
export type * from './exchangeRequests.ts'
export type {
  BytesInput,
  IdInput,
  NodeIdInput,
  OwnersInput,
  Receiver,
  SignerInput,
} from './Inputs.ts'
export * as L1Messages from './L1Messages.ts'
export {
  createNode,
  type L1Validator,
  type NetworkIds,
  type Node,
  type NodeOptions,
  type TxState,
} from './Node.ts'
export type {
  Accepted,
  AcceptedSeries,
  ChainWallet,
  Context,
  Operation,
  RequestOf,
  Step,
  StepOptions,
} from './Operation.ts'
export { OPERATIONS } from './operations.ts'
export type {
  ConsolidateRequest,
  EvmExportedPayment,
  EvmExportRequest,
  EvmImportRequest,
  ExportedPayment,
  ExportRequest,
  ImportRequest,
  Payment,
  TransferRequest,
} from './payments.ts'
export type * from './platformRequests.ts'
export * as Series from './Series.ts'
export {
  accountSigner,
  type HashAccount,
  keySigner,
  type Provider,
  providerSigner,
  type Signer,
} from './Signer.ts'
export type { StakingLimits } from './stakingLimits.ts'
export { WalletError, type WalletErrorCode } from './WalletError.ts'
