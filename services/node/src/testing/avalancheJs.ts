import * as avalanchejs from '@avalabs/avalanchejs'

/** A parsed part of a transaction or UTXO. */
export interface Parsed {
  toBytes(codec?: unknown): Uint8Array
}

/** One page of UTXOs. */
export interface Page {
  readonly numFetched: string
  readonly utxos: readonly (Parsed & { readonly output: object })[]
}

interface Amount {
  amount(): bigint
}

/** The members of a transfer transaction that the tests read. */
export interface BaseTx {
  readonly baseTx: { readonly inputs: readonly Amount[]; readonly outputs: readonly Amount[] }
  getBlockchainId(): string
}

/** An unsigned transaction. */
export interface UnsignedTx {
  getTx(): BaseTx
  hasAllSignatures(): boolean
}

type Call<Result = unknown> = (params?: unknown) => Promise<Result>
type Calls<Names extends string> = Readonly<Record<Names, Call>>
interface Owner {
  readonly addresses: readonly { toString(hrp: string): string }[]
}

type PlatformApi = Calls<
  | ('getHeight' | 'getTimestamp' | 'getCurrentSupply' | 'getMinStake' | 'getBlockchains' | 'getBalance')
  | ('getBlockchainStatus' | 'getCurrentValidators' | 'getStakingAssetID' | 'getSubnet' | 'getSubnets')
  | ('getTotalStake' | 'getTxStatus' | 'getTxJson' | 'getValidatorsAt' | 'validatedBy' | 'validates')
  | ('sampleValidators' | 'getPendingValidators' | 'getMaxStakeAmount' | 'getAssetDescription')
  | 'getAddressTxs'
> & {
  readonly getTx: Call<Parsed>
  readonly getUTXOs: Call<Page>
  readonly getRewardUTXOs: Call<Page>
  readonly getStake: Call<{ readonly staked: bigint; readonly stakedOutputs: readonly Parsed[] }>
  readonly getFeeState: Call<{ readonly price: bigint }>
  readonly getFeeConfig: Call<{ readonly weights: object }>
  readonly getL1Validator: Call<{ readonly deactivationOwner: Owner; readonly remainingBalanceOwner: Owner }>
}

type AvmApi = Calls<
  | ('getTxFee' | 'getAssetDescription' | 'getAllBalances' | 'getBalance' | 'getTxJson' | 'getTxStatus')
  | 'buildGenesis'
> & { readonly getTx: Call<Parsed>; readonly getUTXOs: Call<Page> }

type EvmApi = Calls<'getAtomicTxStatus'> & {
  readonly getAtomicTx: Call<{ readonly tx: Parsed; readonly blockHeight: bigint }>
  readonly getUTXOs: Call<Page>
  readonly getBaseFee: Call<bigint>
}

type InfoApi = Calls<
  | ('getBlockchainId' | 'getNetworkId' | 'getNetworkName' | 'getNodeId' | 'getNodeIp' | 'getUpgradesInfo')
  | ('getVMs' | 'getNodeVersion' | 'peers' | 'isBootstrapped' | 'uptime')
>

/**
 * The members of avalanchejs that the tests use. They are declared here, because the package's own types do
 * not resolve for ES modules.
 */
interface AvalancheJs {
  readonly pvm: {
    readonly PVMApi: new (url: string) => PlatformApi
    newBaseTx(params: object, context: object): UnsignedTx
    calculateFee(tx: BaseTx, weights: object, price: bigint): bigint
  }
  readonly avm: {
    readonly AVMApi: new (url: string) => AvmApi
    newBaseTx(
      context: object,
      from: readonly Uint8Array[],
      utxos: Page['utxos'],
      outputs: readonly object[],
    ): UnsignedTx
  }
  readonly evm: { readonly EVMApi: new (url: string) => EvmApi }
  readonly info: { readonly InfoApi: new (url: string) => InfoApi }
  readonly Context: { getContextFromURI(url: string): Promise<object> }
  readonly TransferableOutput: { fromNative(assetId: string, amount: bigint, to: Uint8Array[]): object }
  readonly addTxSignatures: (params: object) => Promise<void>
  readonly utils: {
    addChecksum(bytes: Uint8Array): Uint8Array
    concatBytes(...parts: Uint8Array[]): Uint8Array
    bufferToHex(bytes: Uint8Array): string
    hexToBuffer(text: string): Uint8Array
    bech32ToBytes(address: string): Uint8Array
    getManagerForVM(vm: string): { getDefaultCodec(): unknown }
  }
}

export const { pvm, avm, evm, info, Context, TransferableOutput, addTxSignatures, utils } =
  avalanchejs as unknown as AvalancheJs
export type { AvmApi, EvmApi, InfoApi, PlatformApi }
