import { Address, type ChainAlias, CheckedHex, Id, isFirnError, type Json, Network } from '@firn/codec'
import { EvmAddress } from '@firn/keys'
import {
  AvaxMethods,
  AvmMethods,
  type ClientOptions,
  connect,
  createClient,
  type GetUtxos,
  InfoMethods,
  type IssueTx,
  type MethodTable,
  type Params,
  PlatformMethods,
  type Schema,
} from '@firn/rpc'
import {
  type AtomicBuilder,
  AtomicUtxo,
  type AvmFees,
  AvmUtxo,
  type Coins,
  PlatformBuilder,
  PlatformTx,
  PlatformUtxo,
  type Secp256k1,
  Signing,
} from '@firn/txs'
import type { StakingLimits } from './stakingLimits.ts'
import { WalletError } from './WalletError.ts'

/** What a node knows of its network: the ids that transactions contain. */
export interface NetworkIds {
  readonly networkId: number
  /** Human-readable part of addresses, such as `avax`. */
  readonly hrp: string
  readonly avaxAssetId: Uint8Array
  readonly blockchainIds: Readonly<Record<ChainAlias, Uint8Array>>
}

/** What a node knows of an L1 validator. */
export interface L1Validator {
  /** Owner that may deactivate it. */
  readonly deactivationOwner: Secp256k1.OutputOwners
  /** Its remaining balance in nAVAX; 0 if it is inactive, and undefined if that is not known. */
  readonly balance: bigint | undefined
}

/** The state of an issued transaction. */
export type TxState =
  | { readonly kind: 'pending' | 'accepted' }
  | { readonly kind: 'dropped'; readonly reason: string | undefined }

/** What a wallet asks a node. */
export interface Node {
  /** Returns the id of the network. It is asked for once. */
  networkId(signal?: AbortSignal): Promise<number>
  /** Returns the ids of the network. They are asked for once. */
  network(signal?: AbortSignal): Promise<NetworkIds>
  /**
   * Returns all UTXOs that name one of the addresses (20 bytes each). With `source`, returns those that were exported
   * from this chain instead.
   */
  utxos(
    chain: ChainAlias,
    addresses: readonly Uint8Array[],
    source: ChainAlias | undefined,
    signal?: AbortSignal,
  ): Promise<readonly Coins.AnyUtxo[]>
  /** Returns the fees of the P-chain, at twice the current gas price. */
  platformFees(signal?: AbortSignal): Promise<PlatformBuilder.Fees>
  /** Returns the limits of stakes on the Primary Network, as far as the node knows them. By default, none are checked. */
  stakingLimits?(signal?: AbortSignal): Promise<StakingLimits>
  /** Returns the fees of the X-chain. */
  avmFees(signal?: AbortSignal): Promise<AvmFees.Fees>
  /** Returns the current base fee of the C-chain, in wei. */
  baseFee(signal?: AbortSignal): Promise<bigint>
  /**
   * Returns the time of the upgrade Helicon in Unix seconds, which raises the limits of atomic transactions; undefined if the
   * node does not know it. Without this function, the limits before Helicon apply.
   */
  heliconTime?(signal?: AbortSignal): Promise<bigint | undefined>
  /** Returns the balance and the next nonce of a C-chain account. */
  account(address: Uint8Array, signal?: AbortSignal): Promise<AtomicBuilder.Account>
  /** Calls a method of the C-chain's EVM, such as `eth_chainId`, and returns its result. */
  evm(method: string, params: readonly Json.Json[], signal?: AbortSignal): Promise<unknown>
  /** Returns the owner of a subnet. */
  subnetOwner(subnetId: Uint8Array, signal?: AbortSignal): Promise<Secp256k1.OutputOwners>
  /**
   * Returns an L1 validator.
   * @throws WalletError `WALLET_INPUT` if there is none
   */
  l1Validator(validationId: Uint8Array, signal?: AbortSignal): Promise<L1Validator>
  /** Returns the owner that may change the terms of the auto-renewed validator that a transaction added. */
  renewalAuthority(txId: Uint8Array, signal?: AbortSignal): Promise<Secp256k1.OutputOwners>
  /** Issues a signed transaction and returns its id. */
  issue(chain: ChainAlias, tx: Uint8Array, signal?: AbortSignal): Promise<Uint8Array>
  /** Returns the state of an issued transaction. */
  state(chain: ChainAlias, txId: Uint8Array, signal?: AbortSignal): Promise<TxState>
}

/** Options of {@link createNode}: a node's base URL, and how to reach it. */
export interface NodeOptions extends Pick<ClientOptions, 'fetch'> {
  /** Base URL of the node, such as `http://127.0.0.1:9650`, without the path of a chain. */
  readonly url: string
  /**
   * URL of an RPC endpoint of the C-chain, such as `https://api.avax.network/ext/bc/C/rpc`, for its base fee, balances and
   * nonces; by default, `/ext/bc/C/rpc` of the node. A Firn node that follows peers knows only the base fee.
   */
  readonly cChainUrl?: string | undefined
  /** Timeout of a request in milliseconds. */
  readonly timeoutMs?: number | undefined
}

/** Largest page of UTXOs that nodes return. */
const PAGE = 1_024
const PRIMARY_NETWORK_ID = new Uint8Array(32)

/** Codes of answers by nodes that do not know a method, or whose result lacks members. */
const UNKNOWN: ReadonlySet<string> = new Set(['RPC_REMOTE', 'RPC_RESPONSE'])

const ACCEPTED = { kind: 'accepted' } as const
const PENDING = { kind: 'pending' } as const

type Calls<M extends MethodTable[string]> = (
  params: Schema.Infer<M['params']>,
  signal: AbortSignal | undefined,
) => Promise<Schema.Infer<M['result']>>

/** The methods that the chains have in common. */
interface ChainCalls {
  readonly utxos: Calls<typeof GetUtxos>
  readonly issue: Calls<typeof IssueTx>
  readonly state: (
    params: Params<typeof AvmMethods, 'avm.getTxStatus'>,
    signal: AbortSignal | undefined,
  ) => Promise<TxState>
}

const UTXOS: { readonly [C in ChainAlias]: { readonly decode: (bytes: Uint8Array) => Coins.AnyUtxo } } = {
  P: PlatformUtxo,
  X: AvmUtxo,
  C: AtomicUtxo,
}

/**
 * Returns what a wallet asks a node, over the node's JSON-RPC.
 *
 * @example
 * ```ts
 * import { createNode } from '@firn/wallet'
 *
 * const node = createNode({ url: 'http://127.0.0.1:9650' })
 * const { networkId } = await node.network()
 * ```
 * @throws RpcError `RPC_SCHEMA` for a URL that is not `http:` or `https:`
 */
export function createNode({ url, cChainUrl, timeoutMs, fetch }: NodeOptions): Node {
  const reach = { url: url.replace(/\/+$/, ''), fetch, ...(timeoutMs === undefined ? {} : { timeoutMs }) }
  const at = (path: string) => ({ ...reach, path })
  const info = createClient(InfoMethods, at('/ext/info'))
  const platform = createClient(PlatformMethods, at('/ext/bc/P'))
  const avm = createClient(AvmMethods, at('/ext/bc/X'))
  const avax = createClient(AvaxMethods, at('/ext/bc/C/avax'))
  const evm = connect(cChainUrl === undefined ? at('/ext/bc/C/rpc') : { ...reach, url: cChainUrl })
  const chains: { readonly [C in ChainAlias]: ChainCalls } = {
    P: {
      utxos: (params, signal) => platform.call('platform.getUTXOs', params, { signal }),
      issue: (params, signal) => platform.call('platform.issueTx', params, { signal }),
      async state(params, signal) {
        const { status, reason } = await platform.call('platform.getTxStatus', params, { signal })
        if (status === 'Committed') return ACCEPTED
        return status === 'Dropped' || status === 'Aborted' ? { kind: 'dropped', reason } : PENDING
      },
    },
    X: {
      utxos: (params, signal) => avm.call('avm.getUTXOs', params, { signal }),
      issue: (params, signal) => avm.call('avm.issueTx', params, { signal }),
      async state(params, signal) {
        const { status } = await avm.call('avm.getTxStatus', params, { signal })
        return status === 'Accepted' ? ACCEPTED : PENDING
      },
    },
    C: {
      utxos: (params, signal) => avax.call('avax.getUTXOs', params, { signal }),
      issue: (params, signal) => avax.call('avax.issueTx', params, { signal }),
      async state(params, signal) {
        const { status } = await avax.call('avax.getAtomicTxStatus', params, { signal })
        if (status === 'Accepted') return ACCEPTED
        return status === 'Dropped' ? { kind: 'dropped', reason: undefined } : PENDING
      },
    },
  }

  const networkId = once(async (signal) => (await info.call('info.getNetworkID', {}, { signal })).networkID)
  const network = once(async (signal): Promise<NetworkIds> => {
    const blockchainId = async (alias: string) =>
      (await info.call('info.getBlockchainID', { alias }, { signal })).blockchainID
    const [id, { assetID: avaxAssetId }, X, C] = await Promise.all([
      networkId(signal),
      platform.call('platform.getStakingAssetID', { subnetID: PRIMARY_NETWORK_ID }, { signal }),
      blockchainId('X'),
      blockchainId('C'),
    ])
    const blockchainIds = { P: PRIMARY_NETWORK_ID, X, C }
    return { networkId: id, hrp: Network.hrp(id), avaxAssetId, blockchainIds }
  })

  return {
    networkId,
    network,
    async utxos(chain, addresses, source, signal) {
      const hrp = Network.hrp(await networkId(signal))
      const names = addresses.map((payload) => Address.format({ chain, hrp, payload }))
      const found = new Set<string>()
      let startIndex: { readonly address: string; readonly utxo: string } | undefined
      // A node that returns a position twice would return the same pages for ever.
      const places = new Set<string>()
      for (;;) {
        const page = await chains[chain].utxos(
          {
            addresses: names,
            limit: PAGE,
            encoding: 'hex',
            ...(source && { sourceChain: source }),
            ...(startIndex && { startIndex }),
          },
          signal,
        )
        // Pages of several addresses repeat the UTXOs that the addresses own together.
        for (const utxo of page.utxos) found.add(utxo)
        const place = `${page.endIndex.address} ${page.endIndex.utxo}`
        if (page.numFetched < PAGE || places.has(place))
          return [...found].map((utxo) => UTXOS[chain].decode(CheckedHex.decode(utxo)))
        places.add(place)
        startIndex = page.endIndex
      }
    },
    async platformFees(signal) {
      const [config, state] = await Promise.all([
        platform.call('platform.getFeeConfig', {}, { signal }),
        platform.call('platform.getFeeState', {}, { signal }),
      ])
      return PlatformBuilder.dynamicFees(config, state)
    },
    stakingLimits: (signal) => platform.call('platform.getMinStake', {}, { signal }),
    async avmFees(signal) {
      const { txFee, createAssetTxFee } = await avm.call('avm.getTxFee', {}, { signal })
      return { tx: txFee, createAsset: createAssetTxFee }
    },
    baseFee: async (signal) => BigInt((await evm.call('eth_baseFee', [], { signal })) as string),
    heliconTime: once(async (signal) => {
      try {
        // Older nodes have neither the method nor the member.
        const { heliconTime } = await info.call('info.upgrades', {}, { signal })
        return heliconTime === undefined ? undefined : BigInt(Math.floor(Date.parse(heliconTime) / 1_000))
      } catch (error) {
        if (isFirnError(error) && UNKNOWN.has(error.code)) return undefined
        throw error
      }
    }),
    evm: (method, params, signal) => evm.call(method, params, { signal }),
    async account(address, signal) {
      const params = [EvmAddress.format(address), 'latest']
      const [balance, nonce] = await Promise.all([
        evm.call('eth_getBalance', params, { signal }),
        evm.call('eth_getTransactionCount', params, { signal }),
      ])
      return { address, balance: BigInt(balance as string), nonce: BigInt(nonce as string) }
    },
    async subnetOwner(subnetId, signal) {
      const subnet = await platform.call('platform.getSubnet', { subnetID: subnetId }, { signal })
      const { controlKeys, threshold, locktime } = subnet
      return { threshold, locktime, addresses: controlKeys.map(({ payload }) => payload) }
    },
    async l1Validator(validationId, signal) {
      const params = { validationID: validationId }
      const found = await explained(validationId, () =>
        platform.call('platform.getL1Validator', params, { signal }),
      )
      const { locktime, threshold, addresses } = found.deactivationOwner
      const owner = { locktime, threshold, addresses: addresses.map(({ payload }) => payload) }
      return { deactivationOwner: owner, balance: found.balance }
    },
    async renewalAuthority(txId, signal) {
      const { tx } = await platform.call('platform.getTx', { txID: txId, encoding: 'hex' }, { signal })
      const { unsignedTx } = PlatformTx.decode(CheckedHex.decode(String(tx)))
      if (unsignedTx.type === 'AddAutoRenewedValidatorTx') return unsignedTx.validatorAuthority
      const message = `${Id.format(txId)} is a ${unsignedTx.type}; expected the AddAutoRenewedValidatorTx of the validator`
      throw new WalletError('WALLET_INPUT', message)
    },
    async issue(chain, tx, signal) {
      const params = { tx: CheckedHex.encode(tx), encoding: 'hex' } as const
      const send = () => chains[chain].issue(params, signal)
      const unsignedTx = chain === 'P' ? Signing.split('P', tx).unsignedTx : undefined
      const isOfValidator = unsignedTx !== undefined && 'validationID' in unsignedTx
      return (isOfValidator ? await explained(unsignedTx.validationID, send) : await send()).txID
    },
    state: (chain, txId, signal) => chains[chain].state({ txID: txId }, signal),
  }
}

/** What nodes answer about an L1 validator that they do not have, most of them no more than `not found`. */
const NOT_FOUND = /not found|unknown L1 validator/

/**
 * Says which L1 validator a node has not found.
 * @throws WalletError `WALLET_INPUT` if there is no L1 validator, and the errors of `ask`
 */
async function explained<T>(validationId: Uint8Array, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    if (!isFirnError(cause) || !NOT_FOUND.test(cause.message)) throw cause
    const message = `There is no L1 validator with the validation id ${Id.format(validationId)}. Check the id; a validator that was removed is unknown, too (${cause.message}).`
    throw new WalletError('WALLET_INPUT', message, { cause })
  }
}

/** Returns a function that asks until it has an answer, and then returns this answer. */
function once<T>(ask: (signal: AbortSignal | undefined) => Promise<T>): (signal?: AbortSignal) => Promise<T> {
  let known: Promise<T> | undefined
  return async (signal) => {
    const asked = known ?? ask(signal)
    known = asked
    try {
      return await asked
    } catch (error) {
      if (known === asked) known = undefined
      throw error
    }
  }
}
